using System;
using System.Collections.Generic;
using Microsoft.CodeAnalysis;

namespace CamCube.Analyzers;

/// <summary>
/// What code on the loop must not use: what blocks (BlockingCalls.txt), and BannedSymbols.txt, the very list that our
/// own services are built with. <c>camcube service check</c> has both. Immutable; any thread.
/// </summary>
internal sealed class BannedUses
{
    private static readonly Lazy<string[]> Lines = new(static () => MemberList.Lines("BannedSymbols.txt"));

    private readonly Dictionary<ISymbol, string> _advice = new(SymbolEqualityComparer.Default);
    private readonly MemberList _blocking;
    private readonly HashSet<INamedTypeSymbol> _results = new(SymbolEqualityComparer.Default);
    private readonly HashSet<INamedTypeSymbol> _awaiters = new(SymbolEqualityComparer.Default);

    public BannedUses(Compilation compilation)
    {
        foreach (string line in Lines.Value)
        {
            int semicolon = line.IndexOf(';');
            string id = line.Substring(0, semicolon);
            foreach (ISymbol symbol in DocumentationCommentId.GetSymbolsForDeclarationId(id, compilation))
            {
                _advice[symbol] = line.Substring(semicolon + 1);
            }
        }

        _blocking = new MemberList("BlockingCalls.txt", compilation);
        Add(_results, "System.Threading.Tasks.Task`1", "System.Threading.Tasks.ValueTask`1");
        Add(
            _awaiters,
            "System.Runtime.CompilerServices.TaskAwaiter",
            "System.Runtime.CompilerServices.TaskAwaiter`1",
            "System.Runtime.CompilerServices.ValueTaskAwaiter",
            "System.Runtime.CompilerServices.ValueTaskAwaiter`1",
            "System.Runtime.CompilerServices.ConfiguredTaskAwaitable.ConfiguredTaskAwaiter",
            "System.Runtime.CompilerServices.ConfiguredTaskAwaitable`1+ConfiguredTaskAwaiter"
        );

        void Add(HashSet<INamedTypeSymbol> into, params string[] names)
        {
            foreach (string name in names)
            {
                if (compilation.GetTypeByMetadataName(name) is { } type)
                {
                    into.Add(type);
                }
            }
        }
    }

    /// <summary>Whether a member's use blocks the thread.</summary>
    public bool Blocks(ISymbol member) => _blocking.Has(member);

    /// <summary>Whether a member's use blocks unless the task has ended already.</summary>
    public bool TakesResult(ISymbol member) =>
        member.ContainingType?.OriginalDefinition is { } type
        && (
            (member.Name == "Result" && _results.Contains(type))
            || (member.Name == "GetResult" && _awaiters.Contains(type))
        );

    /// <summary>What to do instead of a member or of its type; null: it may be used.</summary>
    public string? AdviceOn(ISymbol member) =>
        _advice.TryGetValue(member.OriginalDefinition, out string? advice)
        || (member.ContainingType?.OriginalDefinition is { } type && _advice.TryGetValue(type, out advice))
            ? advice
            : null;
}
