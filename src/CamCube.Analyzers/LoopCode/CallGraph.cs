using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace CamCube.Analyzers.LoopCode;

/// <summary>
/// Who calls whom within a compilation. Through virtual members and interfaces of the compilation itself, not through
/// those of other assemblies. Any thread may add; it is walked when all is there.
/// </summary>
internal sealed class CallGraph
{
    private const int MostSteps = 20;
    private readonly object _lock = new();
    private readonly Dictionary<ISymbol, CodeNode> _nodes = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<ISymbol, List<IMethodSymbol>> _implementations = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<INamedTypeSymbol, List<CodeNode>> _initialisers = new(SymbolEqualityComparer.Default);
    private readonly List<INamedTypeSymbol> _roots = [];

    /// <summary>A type whose members the loop calls.</summary>
    public void AddRoot(INamedTypeSymbol type)
    {
        lock (_lock)
        {
            _roots.Add(type);
        }
    }

    /// <summary>Notes what a type's members stand in for.</summary>
    public void AddType(INamedTypeSymbol type)
    {
        foreach (IMethodSymbol method in type.GetMembers().OfType<IMethodSymbol>())
        {
            for (IMethodSymbol? over = method.OverriddenMethod; over is not null; over = over.OverriddenMethod)
            {
                AddImplementation(over, method);
            }
        }

        foreach (INamedTypeSymbol implemented in type.AllInterfaces.Where(IsOfSource))
        {
            foreach (IMethodSymbol member in implemented.GetMembers().OfType<IMethodSymbol>())
            {
                if (type.FindImplementationForInterfaceMember(member) is IMethodSymbol method)
                {
                    AddImplementation(member, method);
                }
            }
        }
    }

    /// <summary>Notes a call.</summary>
    public void AddCall(ISymbol from, IMethodSymbol to, RunBy thread)
    {
        if (IsOfSource(to))
        {
            lock (_lock)
            {
                NodeOf(from).Calls.Add((to.OriginalDefinition, thread));
            }
        }
    }

    /// <summary>Notes a use.</summary>
    public void AddUse(ISymbol from, LoopUse use)
    {
        lock (_lock)
        {
            NodeOf(from).Uses.Add(use);
        }
    }

    /// <summary>All uses that break a rule, each once, and on which way the loop gets there.</summary>
    public IEnumerable<(LoopUse Use, string Way)> Breaches()
    {
        var reached = new Dictionary<CodeNode, string>();
        var next = new Queue<(CodeNode Node, string Way, int Steps)>();
        HashSet<ISymbol> given = GivenAway();
        // What was found first depends on threads; what is said must not.
        CodeNode[] all = Sorted(_nodes.Values);
        foreach (INamedTypeSymbol root in _roots.OrderBy(static type => type.ToDisplayString(), StringComparer.Ordinal))
        {
            foreach (CodeNode node in all.Where(node => IsIn(node.Symbol, root) && !given.Contains(node.Symbol)))
            {
                Reach(node, "");
            }
        }

        foreach ((LoopUse Use, string Way) breach in Walk(reached, next, isForeign: false))
        {
            yield return breach;
        }

        // What other threads are given.
        CodeNode[] onLoop = Sorted(reached.Keys);
        reached.Clear();
        foreach (CodeNode node in onLoop)
        {
            foreach ((IMethodSymbol method, _) in node.Calls.Where(static call => call.Thread == RunBy.Others))
            {
                foreach (CodeNode called in Behind(method))
                {
                    Reach(called, WayOf(node, ""));
                }
            }
        }

        foreach ((LoopUse Use, string Way) breach in Walk(reached, next, isForeign: true))
        {
            yield return breach;
        }

        void Reach(CodeNode node, string way)
        {
            if (!reached.ContainsKey(node))
            {
                reached.Add(node, way);
                next.Enqueue((node, way, 0));
            }
        }
    }

    private IEnumerable<(LoopUse Use, string Way)> Walk(
        Dictionary<CodeNode, string> reached,
        Queue<(CodeNode Node, string Way, int Steps)> next,
        bool isForeign
    )
    {
        while (next.Count > 0)
        {
            (CodeNode node, string way, int steps) = next.Dequeue();
            foreach (LoopUse use in node.Uses)
            {
                // Within a part for another thread the rule of threads counts, whoever gets there.
                bool isOfThreads = use.Rule == Rules.OffLoop;
                if (isForeign ? isOfThreads && use.Thread == RunBy.Caller : isOfThreads == (use.Thread == RunBy.Others))
                {
                    yield return (use, way.Length > 0 ? $" (reached from {way})" : "");
                }
            }

            if (steps == MostSteps)
            {
                continue;
            }

            // What goes to the other kind of thread is gone through with that.
            RunBy left = isForeign ? RunBy.Loop : RunBy.Others;
            foreach ((IMethodSymbol method, RunBy thread) in node.Calls)
            {
                foreach (CodeNode called in thread == left ? [] : Behind(method))
                {
                    if (!reached.ContainsKey(called))
                    {
                        string longer = WayOf(node, way);
                        reached.Add(called, longer);
                        next.Enqueue((called, longer, steps + 1));
                    }
                }
            }
        }
    }

    private static CodeNode[] Sorted(IEnumerable<CodeNode> nodes) =>
        [.. nodes.OrderBy(static node => node.Symbol.ToDisplayString(), StringComparer.Ordinal)];

    // Methods of which other threads get all there is.
    private HashSet<ISymbol> GivenAway()
    {
        var calls = _nodes.Values.SelectMany(static node => node.Calls).ToArray();
        HashSet<ISymbol> given = new(SymbolEqualityComparer.Default),
            kept = new(SymbolEqualityComparer.Default);
        foreach ((IMethodSymbol method, RunBy thread) in calls)
        {
            (thread == RunBy.Others ? given : kept).Add(method);
        }

        given.ExceptWith(kept);
        return given;
    }

    private static string WayOf(CodeNode node, string way) =>
        way.Length > 0 ? way : $"{node.Symbol.ContainingType?.Name}.{node.Symbol.Name}";

    // A method's own code, that of what stands in for it, and of fields that a constructor sets.
    private IEnumerable<CodeNode> Behind(IMethodSymbol method)
    {
        if (_nodes.TryGetValue(method, out CodeNode? own))
        {
            yield return own;
        }

        if (_implementations.TryGetValue(method, out List<IMethodSymbol>? others))
        {
            foreach (IMethodSymbol other in others)
            {
                if (_nodes.TryGetValue(other.OriginalDefinition, out CodeNode? node))
                {
                    yield return node;
                }
            }
        }

        if (
            method.MethodKind == MethodKind.Constructor
            && _initialisers.TryGetValue(method.ContainingType.OriginalDefinition, out List<CodeNode>? initialisers)
        )
        {
            foreach (CodeNode node in initialisers)
            {
                yield return node;
            }
        }
    }

    private static bool IsIn(ISymbol symbol, INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? outer = symbol.ContainingType; outer is not null; outer = outer.ContainingType)
        {
            if (SymbolEqualityComparer.Default.Equals(outer.OriginalDefinition, type.OriginalDefinition))
            {
                return SymbolEqualityComparer.Default.Equals(symbol.ContainingType, outer);
            }
        }

        return false;
    }

    // Of a constructor that nobody wrote its type was written.
    private static bool IsOfSource(ISymbol symbol) =>
        symbol.OriginalDefinition.DeclaringSyntaxReferences.Length > 0
        || symbol is IMethodSymbol { MethodKind: MethodKind.Constructor, IsImplicitlyDeclared: true }
            && symbol.ContainingType.OriginalDefinition.DeclaringSyntaxReferences.Length > 0;

    private void AddImplementation(IMethodSymbol of, IMethodSymbol method)
    {
        lock (_lock)
        {
            if (!_implementations.TryGetValue(of.OriginalDefinition, out List<IMethodSymbol>? list))
            {
                _implementations.Add(of.OriginalDefinition, list = []);
            }

            list.Add(method);
        }
    }

    private CodeNode NodeOf(ISymbol symbol)
    {
        symbol = symbol.OriginalDefinition;
        if (!_nodes.TryGetValue(symbol, out CodeNode? node))
        {
            _nodes.Add(symbol, node = new CodeNode(symbol));
            if (symbol is IFieldSymbol or IPropertySymbol && symbol.ContainingType is { } type)
            {
                if (!_initialisers.TryGetValue(type.OriginalDefinition, out List<CodeNode>? list))
                {
                    _initialisers.Add(type.OriginalDefinition, list = []);
                }

                list.Add(node);
            }
        }

        return node;
    }
}
