namespace CamCube.Hosting.Http;

/// <summary>One service of a server.</summary>
internal sealed record ServiceAnswer(
    string Id,
    string Name,
    string State,
    long Faults,
    long Arrived,
    long Sent,
    int Queued,
    int Held,
    long MaxCallbackNanos,
    IReadOnlyList<CounterAnswer> Counters
)
{
    /// <summary>What it has claimed; nothing if it never asked.</summary>
    public MemoryAnswer? Memory { get; init; }

    /// <summary>Its claims; nothing if it has none.</summary>
    public IReadOnlyList<ClaimAnswer>? Claims { get; init; }

    /// <summary>What it threw last; nothing if it never did.</summary>
    public string? LastFault { get; init; }

    /// <summary>Names of its commands; nothing if it has none, or does not run.</summary>
    public IReadOnlyList<string>? Commands { get; init; }

    /// <summary>Commands that ran; nothing if none did.</summary>
    public long? CommandRuns { get; init; }

    /// <summary>Commands that threw; nothing if none did.</summary>
    public long? CommandFaults { get; init; }
}
