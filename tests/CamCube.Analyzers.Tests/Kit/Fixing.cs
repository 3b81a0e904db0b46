using CamCube.Analyzers.Fixes;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Simplification;
using Microsoft.CodeAnalysis.Text;

namespace CamCube.Analyzers.Tests.Kit;

/// <summary>Takes what is offered for what the analyzers say, as an editor does.</summary>
internal static class Fixing
{
    private const string Begin = "/*begin*/",
        End = "/*end*/";

    /// <summary>Members of a service after all that can be fixed was, one after the other; it compiles then.</summary>
    public static async Task<string> FixAsync(string members)
    {
        using var workspace = new AdhocWorkspace();
        Project project = workspace
            .AddProject("Author", LanguageNames.CSharp)
            .WithMetadataReferences(Analysis.Platform)
            .WithParseOptions(Analysis.Options)
            .WithCompilationOptions(new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        Document document = project.AddDocument("Sample.cs", SourceText.From(Source(members)));
        for (int fixedOnes = 0; fixedOnes < 10; fixedOnes++)
        {
            CodeAction? action = await FirstAsync(document);
            if (action is null)
            {
                break;
            }

            var change = (ApplyChangesOperation)(await action.GetOperationsAsync(default)).First();
            document = change.ChangedSolution.GetDocument(document.Id)!;
            document = await Simplifier.ReduceAsync(document);
        }

        Compilation compiled = (await document.Project.GetCompilationAsync())!;
        Assert.Empty(compiled.GetDiagnostics().Where(static d => d.Severity == DiagnosticSeverity.Error));
        string text = (await document.GetTextAsync()).ToString();
        int from = text.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        return text[from..text.IndexOf(End, StringComparison.Ordinal)].Trim();
    }

    private static async Task<CodeAction?> FirstAsync(Document document)
    {
        Compilation compilation = (await document.Project.GetCompilationAsync())!;
        SyntaxTree tree = (await document.GetSyntaxTreeAsync())!;
        var provider = new LoopCodeFixes();
        foreach (Diagnostic said in Analysis.Of("Author", [tree], [.. compilation.References], mustCompile: true))
        {
            CodeAction? found = null;
            if (provider.FixableDiagnosticIds.Contains(said.Id))
            {
                await provider.RegisterCodeFixesAsync(
                    new CodeFixContext(document, said, (action, _) => found ??= action, default)
                );
            }

            if (found is not null)
            {
                return found;
            }
        }

        return null;
    }

    private static string Source(string members) =>
        $$"""
            using System;
            using System.Threading;
            using System.Threading.Tasks;
            using CamCube;

            [CamCubeService(0x7123, "sample")]
            public sealed class Sample(IServer server) : CamCubeService
            {
                {{Begin}} {{members}} {{End}}
                private ValueTask<int> AskAsync() => new(server.Shape.Count);
            }
            """;
}
