using CamCube.Tool.Checks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;

namespace CamCube.Analyzers.Tests.Kit;

/// <summary>What is said of the same service by the analyzers, and by <c>camcube service check</c> of what compilers
/// make of it.</summary>
internal static class Everywhere
{
    /// <summary>What the analyzers say; then what is said of a Debug and of a Release build.</summary>
    /// <param name="members">As of <see cref="Analysis.OfService"/>.</param>
    /// <param name="others">Types beside it.</param>
    public static IReadOnlyList<string[]> OfService(string members, string others = "") =>
        [
            Analysis.OfService(members, others),
            .. new[] { OptimizationLevel.Debug, OptimizationLevel.Release }.Select(level =>
                Compiled(Analysis.SourceOf(members, others), level).Select(static breach => breach.Rule).ToArray()
            ),
        ];

    /// <summary>What the check says of a build.</summary>
    public static IReadOnlyList<Breach> Compiled(string source, OptimizationLevel level) =>
        Check(Build(source, level)).Breaches;

    /// <summary>A build.</summary>
    public static byte[] Build(string source, OptimizationLevel level)
    {
        var compilation = CSharpCompilation.Create(
            "Author",
            [CSharpSyntaxTree.ParseText(source, Analysis.Options, "Author.cs", System.Text.Encoding.UTF8)],
            Analysis.Platform,
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary,
                optimizationLevel: level,
                deterministic: true
            )
        );
        using var stream = new MemoryStream();
        EmitResult made = compilation.Emit(
            stream,
            options: new EmitOptions(debugInformationFormat: DebugInformationFormat.Embedded)
        );
        Assert.True(made.Success, string.Join('\n', made.Diagnostics));
        return stream.ToArray();
    }

    /// <summary>What the check says of an assembly.</summary>
    public static CheckResult Check(byte[] assembly)
    {
        string file = Path.Combine(Path.GetTempPath(), $"camcube-compiled-{Guid.NewGuid():n}.dll");
        try
        {
            File.WriteAllBytes(file, assembly);
            return ServiceChecker.Check(file);
        }
        finally
        {
            File.Delete(file);
        }
    }
}
