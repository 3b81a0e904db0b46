using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace CamCube.Analyzers.Services;

/// <summary>CC0005, CC0006: what the attribute of a service says, as the host would refuse it at start.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class DeclarationAnalyzer : DiagnosticAnalyzer
{
    private const int MostHeaderBytes = 64;
    private const int LastReserved = 0xFF;
    private const int LastBundled = 0x1FF;
    private static readonly Regex NameForm = new("^[a-z][a-z0-9-]*$", RegexOptions.CultureInvariant);

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [Rules.BadHeader, Rules.BadId];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (KnownTypes.Of(start.Compilation) is { Attribute: { } attribute } known)
            {
                var services = new ConcurrentBag<Declared>();
                start.RegisterSymbolAction(type => Type(type, known, attribute, services), SymbolKind.NamedType);
                start.RegisterCompilationEndAction(end => Ids(end, services));
            }
        });
    }

    private static void Type(
        SymbolAnalysisContext context,
        KnownTypes known,
        INamedTypeSymbol attribute,
        ConcurrentBag<Declared> services
    )
    {
        var type = (INamedTypeSymbol)context.Symbol;
        AttributeData? said = type.GetAttributes()
            .FirstOrDefault(one => SymbolEqualityComparer.Default.Equals(one.AttributeClass, attribute));
        if (
            said is not { ConstructorArguments.Length: 2 }
            || said.ConstructorArguments[0].Value is not ushort id
            || said.ConstructorArguments[1].Value is not string name
            || said.ApplicationSyntaxReference?.GetSyntax(context.CancellationToken).GetLocation() is not { } place
        )
        {
            return;
        }

        bool isService = type.AllInterfaces.Contains(known.Service, SymbolEqualityComparer.Default);
        services.Add(new Declared(id, name, place, isService));
        TypedConstant header = said.NamedArguments.FirstOrDefault(static one => one.Key == "Header").Value;
        if (header.Kind == TypedConstantKind.Type && header.Value is ITypeSymbol struc && ReasonOf(struc) is { } reason)
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.BadHeader, place, struc.Name, name, reason));
        }
    }

    private static string? ReasonOf(ITypeSymbol header)
    {
        if (header.TypeKind != TypeKind.Struct)
        {
            return "is no struct";
        }

        if (!header.IsUnmanagedType)
        {
            return "has references in it: packets carry bytes, so only numbers and structs of them";
        }

        return HeaderSize.Of(header) is { } size && size.Bytes > MostHeaderBytes
            ? $"has {size.Bytes} bytes; {MostHeaderBytes} fit"
            : null;
    }

    private static void Ids(CompilationAnalysisContext context, IEnumerable<Declared> services)
    {
        bool isOurs = context.Compilation.AssemblyName?.StartsWith("CamCube.") == true;
        Declared[] all =
        [
            .. services
                .OrderBy(static one => one.Place.SourceTree?.FilePath, System.StringComparer.Ordinal)
                .ThenBy(static one => one.Place.SourceSpan.Start),
        ];
        for (int i = 0; i < all.Length; i++)
        {
            Declared one = all[i];
            Declared? sameId = all.Take(i).FirstOrDefault(other => other.Id == one.Id),
                sameName = all.Take(i).FirstOrDefault(other => other.Name == one.Name);
            string? reason =
                !one.IsService ? "the class does not implement ICamCubeService"
                : one.Id <= LastReserved ? $"id 0x{one.Id:x4} belongs to the runtime; use 0x0200 to 0xffff"
                : one.Id <= LastBundled && !isOurs
                    ? $"id 0x{one.Id:x4} is for services that come with CamCube; use 0x0200 to 0xffff"
                : !NameForm.IsMatch(one.Name)
                    ? "a name is lower-case letters, digits and hyphens, and begins with a letter"
                : sameId is not null ? $"'{sameId.Name}' has the id 0x{one.Id:x4}, too"
                : sameName is not null ? "another service has this name, too"
                : null;
            if (reason is not null)
            {
                context.ReportDiagnostic(Diagnostic.Create(Rules.BadId, one.Place, one.Name, reason));
            }
        }
    }

    private sealed class Declared(ushort id, string name, Location place, bool isService)
    {
        public ushort Id => id;

        public string Name => name;

        public Location Place => place;

        public bool IsService => isService;
    }
}
