using System.Collections.Immutable;
using CamCube.Analyzers.LoopCode;
using CamCube.Analyzers.Packets;
using CamCube.Analyzers.Services;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace CamCube.Analyzers.Tests.Kit;

/// <summary>Compiles code in memory, as an author's project would be, and tells what the analyzers say.</summary>
internal static class Analysis
{
    private static readonly MetadataReference[] System =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
            .Split(Path.PathSeparator)
            .Where(static file =>
                Path.GetFileName(file) is { } name
                && !name.StartsWith("Microsoft.CodeAnalysis", StringComparison.Ordinal)
                && name != "camcube.dll"
            )
            .Where(static file => !Path.GetFileName(file).StartsWith("CamCube.Analyzers", StringComparison.Ordinal))
            .Select(static file => MetadataReference.CreateFromFile(file)),
    ];

    private static readonly ImmutableArray<DiagnosticAnalyzer> Analyzers =
    [
        new LoopCodeAnalyzer(),
        new PacketAnalyzer(),
        new DeclarationAnalyzer(),
        new StaticStateAnalyzer(),
    ];

    /// <summary>What a service with these members is told.</summary>
    /// <param name="members">Members of a class that derives from CamCubeService and has the server in Server.</param>
    /// <param name="others">Types beside it.</param>
    public static string[] OfService(string members, string others = "") => OfSource(SourceOf(members, others));

    /// <summary>The file of such a service.</summary>
    public static string SourceOf(string members, string others) =>
        $$"""
            using System;
            using System.Collections.Concurrent;
            using System.Collections.Frozen;
            using System.Collections.Generic;
            using System.Collections.Immutable;
            using System.IO;
            using System.Linq;
            using System.Threading;
            using System.Threading.Tasks;
            using CamCube;

            [CamCubeService(0x7123, "sample")]
            public sealed class Sample(IServer server) : CamCubeService
            {
                private IServer Server => server;
                {{members}}
            }
            {{others}}
            """;

    /// <summary>What a file is told: rules, in the order of lines.</summary>
    public static string[] OfSource(string source) =>
        [.. Of("Author", [CSharpSyntaxTree.ParseText(source, Options)], System, mustCompile: true).Select(d => d.Id)];

    /// <summary>What is said of several files.</summary>
    /// <param name="assembly">Name of the assembly.</param>
    /// <param name="trees">Its files.</param>
    /// <param name="references">What it refers to.</param>
    /// <param name="mustCompile">False: parts of it may be what other generators write.</param>
    public static IReadOnlyList<Diagnostic> Of(
        string assembly,
        IReadOnlyList<SyntaxTree> trees,
        IReadOnlyList<MetadataReference> references,
        bool mustCompile
    )
    {
        var compilation = CSharpCompilation.Create(
            assembly,
            trees,
            references,
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary,
                nullableContextOptions: NullableContextOptions.Enable,
                allowUnsafe: true
            )
        );
        if (mustCompile)
        {
            Assert.Empty(compilation.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error));
        }

        ImmutableArray<Diagnostic> said = compilation
            .WithAnalyzers(Analyzers)
            .GetAnalyzerDiagnosticsAsync()
            .GetAwaiter()
            .GetResult();
        return [.. said.OrderBy(d => d.Location.SourceTree?.FilePath).ThenBy(d => d.Location.SourceSpan.Start)];
    }

    /// <summary>As the newest C#.</summary>
    public static CSharpParseOptions Options { get; } = new(LanguageVersion.Preview);

    /// <summary>What every program refers to.</summary>
    public static IReadOnlyList<MetadataReference> Platform => System;
}
