using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Microsoft.CodeAnalysis.Simplification;

namespace CamCube.Analyzers.Fixes;

/// <summary>What is put in the place of what.</summary>
/// <param name="title">What it does, for people.</param>
/// <param name="old">A part of the file.</param>
/// <param name="made">What comes in its place.</param>
internal sealed class LoopCodeFix(string title, SyntaxNode old, SyntaxNode made)
{
    // In place of a property: what of the server says the same.
    private static readonly Dictionary<string, string> Clocks = new()
    {
        ["System.DateTime.UtcNow"] = "TimeProvider.GetUtcNow().UtcDateTime",
        ["System.DateTime.Now"] = "TimeProvider.GetLocalNow().DateTime",
        ["System.DateTime.Today"] = "TimeProvider.GetLocalNow().Date",
        ["System.DateTimeOffset.UtcNow"] = "TimeProvider.GetUtcNow()",
        ["System.DateTimeOffset.Now"] = "TimeProvider.GetLocalNow()",
        ["System.TimeProvider.System"] = "TimeProvider",
    };

    public string Title => title;

    public SyntaxNode Old => old;

    public SyntaxNode New => made.WithTriviaFrom(old).WithAdditionalAnnotations(Formatter.Annotation);

    /// <summary>The fix for what was named; null: there is none that is right without thinking.</summary>
    /// <param name="at">Where it is.</param>
    /// <param name="rule">Which rule it breaks.</param>
    /// <param name="model">What the names mean.</param>
    public static LoopCodeFix? Of(SyntaxNode at, string rule, SemanticModel model) =>
        rule switch
        {
            "CC0001" => OfBlocking(at, model),
            "CC0002" => OfForeign(at, model),
            _ => OfLeaving(at),
        };

    private static LoopCodeFix? OfBlocking(SyntaxNode at, SemanticModel model)
    {
        if (!IsInAsync(at))
        {
            return null;
        }

        if (at is MemberAccessExpressionSyntax { Name.Identifier.Text: "Result" } result)
        {
            return Await(result, result.Expression);
        }

        if (at is not InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax called } call)
        {
            return null;
        }

        SeparatedSyntaxList<ArgumentSyntax> arguments = call.ArgumentList.Arguments;
        switch (called.Name.Identifier.Text)
        {
            case "Sleep" when arguments.Count == 1 && DelayOf(call, model) is { } delay:
                return Await(call, delay);
            case "Wait" when arguments.Count == 0 && IsTask(model.GetTypeInfo(called.Expression).Type):
                return Await(call, called.Expression);
            case "GetResult"
                when called.Expression
                    is InvocationExpressionSyntax
                    {
                        Expression: MemberAccessExpressionSyntax { Name.Identifier.Text: "GetAwaiter" } got,
                    }:
                return Await(call, got.Expression);
            default:
                return null;
        }
    }

    private static LoopCodeFix? OfForeign(SyntaxNode at, SemanticModel model)
    {
        if (ServerAt(at, model) is not { } server)
        {
            return null;
        }

        if (
            at is ExpressionSyntax read
            && model.GetSymbolInfo(read).Symbol is IPropertySymbol property
            && Clocks.TryGetValue($"{property.ContainingType}.{property.Name}", out string? same)
        )
        {
            return new LoopCodeFix("Ask the server's clock", at, SyntaxFactory.ParseExpression($"{server}.{same}"));
        }

        return
            at is InvocationExpressionSyntax { Parent: AwaitExpressionSyntax } call
            && model.GetSymbolInfo(call).Symbol is IMethodSymbol { Name: "Delay" }
            && call.ArgumentList.Arguments.Count == 1
            && DelayOf(call, model) is { } delay
            ? new LoopCodeFix("Wait in the server's time", call, delay)
            : null;
    }

    private static LoopCodeFix? OfLeaving(SyntaxNode at)
    {
        switch (at)
        {
            case InvocationExpressionSyntax
            {
                Expression: MemberAccessExpressionSyntax { Name.Identifier.Text: "ConfigureAwait" } called
            } call:
                return new LoopCodeFix("Await on the loop", call, called.Expression);
            case MethodDeclarationSyntax { ReturnType: PredefinedTypeSyntax type }:
                return new LoopCodeFix("Return a ValueTask", type, ValueTask());
            case LocalFunctionStatementSyntax { ReturnType: PredefinedTypeSyntax type }:
                return new LoopCodeFix("Return a ValueTask", type, ValueTask());
            default:
                return null;
        }
    }

    private static SyntaxNode ValueTask() =>
        SyntaxFactory
            .ParseTypeName("global::System.Threading.Tasks.ValueTask")
            .WithAdditionalAnnotations(Simplifier.Annotation);

    // In brackets where something hangs on it.
    private static LoopCodeFix Await(ExpressionSyntax old, ExpressionSyntax task)
    {
        ExpressionSyntax awaited = SyntaxFactory.AwaitExpression(
            SyntaxFactory.Token(SyntaxKind.AwaitKeyword).WithTrailingTrivia(SyntaxFactory.Space),
            task.WithoutTrivia()
        );
        bool hangs =
            old.Parent is MemberAccessExpressionSyntax or ElementAccessExpressionSyntax or InvocationExpressionSyntax
            || old.Parent is ConditionalAccessExpressionSyntax;
        return new LoopCodeFix("Await it", old, hangs ? SyntaxFactory.ParenthesizedExpression(awaited) : awaited);
    }

    // Waits as long as Thread.Sleep or Task.Delay would.
    private static ExpressionSyntax? DelayOf(InvocationExpressionSyntax call, SemanticModel model)
    {
        if (ServerAt(call, model) is not { } server)
        {
            return null;
        }

        ExpressionSyntax time = call.ArgumentList.Arguments[0].Expression;
        string span =
            model.GetTypeInfo(time).Type?.SpecialType == SpecialType.System_Int32
                ? $"global::System.TimeSpan.FromMilliseconds({time})"
                : $"{time}";
        ExpressionSyntax delay = SyntaxFactory.ParseExpression($"{server}.DelayAsync({span})");
        return delay.ReplaceNodes(
            delay.DescendantNodes().OfType<MemberAccessExpressionSyntax>(),
            static (_, name) => name.WithAdditionalAnnotations(Simplifier.Annotation)
        );
    }

    private static bool IsTask(ITypeSymbol? type)
    {
        for (; type is not null; type = type.BaseType)
        {
            if ($"{type.ContainingNamespace}.{type.Name}" == "System.Threading.Tasks.Task")
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsInAsync(SyntaxNode at)
    {
        foreach (SyntaxNode outer in at.Ancestors())
        {
            switch (outer)
            {
                case AnonymousFunctionExpressionSyntax function:
                    return function.AsyncKeyword.IsKind(SyntaxKind.AsyncKeyword);
                case LocalFunctionStatementSyntax local:
                    return local.Modifiers.Any(SyntaxKind.AsyncKeyword);
                case MemberDeclarationSyntax member:
                    return member.Modifiers.Any(SyntaxKind.AsyncKeyword);
                default:
                    break;
            }
        }

        return false;
    }

    // What the code here calls the server; null: it has none.
    private static string? ServerAt(SyntaxNode at, SemanticModel model)
    {
        SyntaxNode? closed = at.Ancestors().FirstOrDefault(IsStatic);
        return model
            .LookupSymbols(at.SpanStart)
            .Where(symbol => TypeOf(symbol) is { Name: "IServer", ContainingNamespace.Name: "CamCube" })
            .Where(symbol => closed is null || symbol.IsStatic || IsWithin(closed, symbol))
            .OrderBy(static symbol => symbol is ILocalSymbol or IParameterSymbol ? 0 : 1)
            .ThenBy(static symbol => symbol.Name, StringComparer.Ordinal)
            .FirstOrDefault()
            ?.Name;
    }

    private static ITypeSymbol? TypeOf(ISymbol symbol) =>
        symbol switch
        {
            ILocalSymbol local => local.Type,
            IParameterSymbol parameter => parameter.Type,
            IFieldSymbol field => field.Type,
            IPropertySymbol property => property.Type,
            _ => null,
        };

    // What is static has nothing of what is around it.
    private static bool IsStatic(SyntaxNode node) =>
        node switch
        {
            AnonymousFunctionExpressionSyntax function => function.Modifiers.Any(SyntaxKind.StaticKeyword),
            LocalFunctionStatementSyntax local => local.Modifiers.Any(SyntaxKind.StaticKeyword),
            BaseTypeDeclarationSyntax => false,
            MemberDeclarationSyntax member => member.Modifiers.Any(SyntaxKind.StaticKeyword),
            _ => false,
        };

    private static bool IsWithin(SyntaxNode node, ISymbol symbol) =>
        symbol.DeclaringSyntaxReferences.Any(place =>
            place.SyntaxTree == node.SyntaxTree && node.Span.Contains(place.Span)
        );
}
