using System.Collections.Immutable;
using System.Composition;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace CamCube.Analyzers.Fixes;

/// <summary>Offers what does the same on the server's loop, where there is one thing that does.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp)]
[Shared]
public sealed class LoopCodeFixes : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["CC0001", "CC0002", "CC0007"];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        Document document = context.Document;
        SyntaxNode? root = await document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        SemanticModel? model = await document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        if (root is null || model is null)
        {
            return;
        }

        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            SyntaxNode at = root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true);
            if (LoopCodeFix.Of(at, diagnostic.Id, model) is { } fix)
            {
                Document changed = document.WithSyntaxRoot(root.ReplaceNode(fix.Old, fix.New));
                context.RegisterCodeFix(
                    CodeAction.Create(fix.Title, _ => Task.FromResult(changed), equivalenceKey: fix.Title),
                    diagnostic
                );
            }
        }
    }
}
