using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace CamCube.Analyzers.Services;

/// <summary>CC0009: static fields that change, in an assembly with a service. A simulated cube, and a host with several
/// servers, has them all in one process.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class StaticStateAnalyzer : DiagnosticAnalyzer
{
    private static readonly HashSet<string> Changing =
    [
        "Add",
        "AddOrUpdate",
        "AddFirst",
        "AddLast",
        "AddRange",
        "Clear",
        "Dequeue",
        "Enqueue",
        "GetOrAdd",
        "Insert",
        "Pop",
        "Push",
        "Remove",
        "RemoveAll",
        "RemoveAt",
        "Sort",
        "TryAdd",
        "TryDequeue",
        "TryPop",
        "TryRemove",
        "TryTake",
        "TryUpdate",
    ];

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [Rules.Shared];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (KnownTypes.Of(start.Compilation) is { } known && HasService(start.Compilation, known))
            {
                start.RegisterSymbolAction(Type, SymbolKind.NamedType);
                start.RegisterOperationAction(
                    Change,
                    OperationKind.Invocation,
                    OperationKind.SimpleAssignment,
                    OperationKind.CompoundAssignment,
                    OperationKind.Increment,
                    OperationKind.Decrement
                );
            }
        });
    }

    private static bool HasService(Compilation compilation, KnownTypes known) =>
        TypesIn(compilation.Assembly.GlobalNamespace)
            .Any(type => type.AllInterfaces.Contains(known.Service, SymbolEqualityComparer.Default));

    private static IEnumerable<INamedTypeSymbol> TypesIn(INamespaceSymbol space) =>
        space.GetTypeMembers().Concat(space.GetNamespaceMembers().SelectMany(TypesIn));

    // Also the fields behind properties, of which nobody is told as of fields.
    private static void Type(SymbolAnalysisContext context)
    {
        foreach (IFieldSymbol field in ((INamedTypeSymbol)context.Symbol).GetMembers().OfType<IFieldSymbol>())
        {
            ISymbol shown = field.AssociatedSymbol ?? field;
            bool changes = field is { IsStatic: true, IsReadOnly: false, IsConst: false };
            if (changes && shown.Locations.FirstOrDefault() is { } place)
            {
                context.ReportDiagnostic(Diagnostic.Create(Rules.Shared, place, shown.Name));
            }
        }
    }

    // Of a collection that is always the same one the contents change.
    private static void Change(OperationAnalysisContext context)
    {
        IOperation? changed = context.Operation switch
        {
            IInvocationOperation call when Changing.Contains(call.TargetMethod.Name) => call.Instance,
            IAssignmentOperation assignment => OwnerOf(assignment.Target),
            IIncrementOrDecrementOperation step => OwnerOf(step.Target),
            _ => null,
        };
        if (
            changed is IFieldReferenceOperation { Field: { IsStatic: true, IsReadOnly: true } field }
            && context.ContainingSymbol is not IMethodSymbol { MethodKind: MethodKind.StaticConstructor }
            && field.DeclaringSyntaxReferences.Length > 0
        )
        {
            context.ReportDiagnostic(
                Diagnostic.Create(Rules.Shared, context.Operation.Syntax.GetLocation(), field.Name)
            );
        }
    }

    private static IOperation? OwnerOf(IOperation target) =>
        target switch
        {
            IPropertyReferenceOperation { Property.IsIndexer: true } element => element.Instance,
            IArrayElementReferenceOperation element => element.ArrayReference,
            _ => null,
        };
}
