using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>One service of a server.</summary>
/// <param name="Id">Its id on the wire: <c>0x7001</c>.</param>
/// <param name="Name">Its name.</param>
/// <param name="State"><c>running</c>, <c>faulted</c>.</param>
/// <param name="Faults">Exceptions it is charged with.</param>
/// <param name="Arrived">Packets that arrived.</param>
/// <param name="Sent">Packets that it sent.</param>
/// <param name="Queued">Packets in its queues.</param>
/// <param name="Held">Packets that it holds.</param>
/// <param name="MaxCallbackNanos">A lower bound of its longest callback.</param>
/// <param name="Counters">Its counters; nothing if it was asked through the torus.</param>
public sealed record ServiceAnswer(
    [property: JsonRequired] string Id,
    [property: JsonRequired] string Name,
    [property: JsonRequired] string State,
    long Faults,
    long Arrived,
    long Sent,
    int Queued,
    int Held,
    long MaxCallbackNanos,
    IReadOnlyList<CounterAnswer>? Counters
)
{
    /// <summary>Version of its assembly; nothing if it was asked through the torus.</summary>
    public string? Version { get; init; }

    /// <summary>First digits of the SHA-256 of its assembly; nothing if it was asked through the torus.</summary>
    public string? Hash { get; init; }

    /// <summary>What it has claimed; nothing if it never asked.</summary>
    public MemoryAnswer? Memory { get; init; }

    /// <summary>Its claims; nothing if it has none.</summary>
    public IReadOnlyList<ClaimAnswer>? Claims { get; init; }

    /// <summary>What it threw last; nothing if it never did.</summary>
    public string? LastFault { get; init; }

    /// <summary>What it needs that no service here offers, in words; nothing if all is there.</summary>
    public string? Missing { get; init; }

    /// <summary>Names of its commands; nothing if it has none, or does not run.</summary>
    public IReadOnlyList<string>? Commands { get; init; }

    /// <summary>Commands that ran; nothing if none did.</summary>
    public long? CommandRuns { get; init; }

    /// <summary>Commands that threw; nothing if none did.</summary>
    public long? CommandFaults { get; init; }
}
