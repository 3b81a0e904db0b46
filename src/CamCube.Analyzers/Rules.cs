using Microsoft.CodeAnalysis;

namespace CamCube.Analyzers;

/// <summary>What the analyzers report. Each is a mistake that the runtime or the simulator would tell of later, or
/// never.</summary>
internal static class Rules
{
    private const string Category = "CamCube";
    private const string Help = "docs/analyzers.md";

    /// <summary>The loop would stand still.</summary>
    public static readonly DiagnosticDescriptor Blocks = AtEnd(
        "CC0001",
        "A call that blocks the loop",
        "{0} blocks the loop of the server, on which all services run: await instead, or give it to IServer.Work{1}"
    );

    /// <summary>Time, threads, randomness of somebody else.</summary>
    public static readonly DiagnosticDescriptor Foreign = AtEnd(
        "CC0002",
        "Time, threads or randomness that are not the server's",
        "{0} is not the server's: {2}{1}"
    );

    /// <summary>A packet that is no longer the caller's.</summary>
    public static readonly DiagnosticDescriptor UsedAfterwards = Now(
        "CC0003",
        "A packet is used after it was given away",
        "'{0}' was {1} in line {2} and is not this method's any more: use it before, or share it "
            + "(IServerPackets.TryShare)"
    );

    /// <summary>A packet that nobody gives back.</summary>
    public static readonly DiagnosticDescriptor Lost = Now(
        "CC0004",
        "A packet that was rented is neither sent nor released",
        "'{0}' is rented here, and on some way out of this method neither sent nor released"
    );

    /// <summary>A header that the runtime refuses.</summary>
    public static readonly DiagnosticDescriptor BadHeader = Now(
        "CC0005",
        "A type that cannot be a header",
        "The header {0} of service '{1}' {2}"
    );

    /// <summary>An id or a name that the runtime refuses.</summary>
    public static readonly DiagnosticDescriptor BadId = AtEnd("CC0006", "A service's id or name", "Service '{0}': {1}");

    /// <summary>Awaits that leave the loop.</summary>
    public static readonly DiagnosticDescriptor LeavesLoop = AtEnd("CC0007", "An await that leaves the loop", "{0}{1}");

    /// <summary>An order that differs in each process.</summary>
    public static readonly DiagnosticDescriptor Unordered = AtEnd(
        "CC0008",
        "An order that differs in every run",
        "{0} goes by hash codes, which differ in every process, so a run cannot be repeated: sort, or use a "
            + "Dictionary{1}"
    );

    /// <summary>State that servers of a process share.</summary>
    public static readonly DiagnosticDescriptor Shared = Now(
        "CC0009",
        "Static state that changes",
        "'{0}' is shared by all servers of a process, as in every simulated cube, and stays after a restart of the "
            + "service: make it a field of the service"
    );

    /// <summary>The server from a thread that is not its own.</summary>
    public static readonly DiagnosticDescriptor OffLoop = AtEnd(
        "CC0010",
        "The server is used from another thread",
        "{0} is for the loop only, and this runs on another thread: come in through IServer.Gate, or do it "
            + "afterwards{1}"
    );

    private static DiagnosticDescriptor Now(string id, string title, string message) =>
        new(id, title, message, Category, DiagnosticSeverity.Warning, true, helpLinkUri: Help);

    // Of what is known when all of the compilation was seen.
    private static DiagnosticDescriptor AtEnd(string id, string title, string message) =>
        new(
            id,
            title,
            message,
            Category,
            DiagnosticSeverity.Warning,
            true,
            helpLinkUri: Help,
            customTags: WellKnownDiagnosticTags.CompilationEnd
        );
}
