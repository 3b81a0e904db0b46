using System;
using System.Collections.Generic;
using System.IO;
using Microsoft.CodeAnalysis;

namespace CamCube.Analyzers;

/// <summary>
/// What code on the loop must not use: what blocks, and BannedSymbols.txt, the very list that our own services are
/// built with and that <c>camcube service check</c> has. Immutable; any thread.
/// </summary>
internal sealed class BannedUses
{
    private static readonly Lazy<string[]> Lines = new(Read);

    // Type, and names of its members; "*" for all.
    private static readonly (string Type, string[] Members)[] Blocking =
    [
        ("System.Threading.Thread", ["Sleep", "Join", "SpinWait"]),
        ("System.Threading.Tasks.Task", ["Wait", "WaitAll", "WaitAny"]),
        ("System.Threading.WaitHandle", ["WaitOne", "WaitAll", "WaitAny", "SignalAndWait"]),
        ("System.Threading.Monitor", ["Wait"]),
        ("System.Threading.SemaphoreSlim", ["Wait"]),
        ("System.Threading.ManualResetEventSlim", ["Wait"]),
        ("System.Threading.CountdownEvent", ["Wait"]),
        ("System.Threading.Barrier", ["SignalAndWait"]),
        ("System.Threading.SpinWait", ["SpinUntil"]),
        ("System.Threading.Tasks.Parallel", ["*"]),
        ("System.Diagnostics.Process", ["WaitForExit"]),
        ("System.Console", ["Read", "ReadLine", "ReadKey"]),
        ("System.Net.Dns", ["GetHostAddresses", "GetHostEntry"]),
        ("System.Net.Http.HttpClient", ["Send"]),
        ("System.Net.Sockets.Socket", ["Accept", "Connect", "Receive", "ReceiveFrom", "Send", "SendTo", "Poll"]),
        ("System.Net.Sockets.TcpClient", ["Connect"]),
        ("System.Net.NetworkInformation.Ping", ["Send"]),
        ("System.Collections.Concurrent.BlockingCollection`1", ["Add", "Take", "GetConsumingEnumerable"]),
        (
            "System.IO.File",
            [
                "ReadAllText",
                "ReadAllBytes",
                "ReadAllLines",
                "ReadLines",
                "WriteAllText",
                "WriteAllBytes",
                "WriteAllLines",
                "AppendAllText",
                "AppendAllLines",
                "AppendAllBytes",
                "Copy",
                "Move",
            ]
        ),
    ];

    private readonly Dictionary<ISymbol, string> _advice = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<INamedTypeSymbol, HashSet<string>> _blocking = new(SymbolEqualityComparer.Default);
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

        foreach ((string name, string[] members) in Blocking)
        {
            if (compilation.GetTypeByMetadataName(name) is { } type)
            {
                _blocking[type] = [.. members];
            }
        }

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
    public bool Blocks(ISymbol member) =>
        member.ContainingType?.OriginalDefinition is { } type
        && _blocking.TryGetValue(type, out HashSet<string>? names)
        && (names.Contains("*") || names.Contains(member.Name));

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

    private static string[] Read()
    {
        using Stream stream = typeof(BannedUses).Assembly.GetManifestResourceStream("BannedSymbols.txt")!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().Split(['\n', '\r'], StringSplitOptions.RemoveEmptyEntries);
    }
}
