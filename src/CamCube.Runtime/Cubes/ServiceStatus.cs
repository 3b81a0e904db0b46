using CamCube.Runtime.Services;

namespace CamCube.Runtime.Cubes;

/// <summary>A snapshot of one service on one server.</summary>
/// <param name="Id">Wire id.</param>
/// <param name="Name">Name.</param>
/// <param name="State">State.</param>
/// <param name="Faults">Times it threw.</param>
/// <param name="Arrived">Packets given to it.</param>
/// <param name="Sent">Packets it sent itself.</param>
/// <param name="Queued">Packets waiting in its queue.</param>
/// <param name="Held">Packets it holds now: taken, rented or held and not yet sent or released.</param>
/// <param name="MaxCallbackNanos">Longest time in nanoseconds for which a watch saw it in one callback, which then ran
/// at least so long; 0: it was never seen twice in the same one, or nobody watches.</param>
/// <param name="Counters">Its own counters.</param>
public sealed record ServiceStatus(
    ServiceId Id,
    string Name,
    ServiceState State,
    long Faults,
    long Arrived,
    long Sent,
    int Queued,
    int Held,
    long MaxCallbackNanos,
    IReadOnlyList<CounterValue> Counters
)
{
    /// <summary>Name and unit of its counters that count per link or per label: they have no value where they have
    /// counted nothing.</summary>
    public IReadOnlyList<(string Name, string Unit)> Tagged { get; init; } = [];

    /// <summary>Whether it derives from <see cref="ExtendedService"/>; false while it does not run.</summary>
    public bool RoutesItself { get; init; }

    /// <summary>What it has claimed.</summary>
    public MemoryStatus Memory { get; init; }

    /// <summary>The claims.</summary>
    public IReadOnlyList<ClaimStatus> Claims { get; init; } = [];

    /// <summary>Version of its assembly; null: nobody said.</summary>
    public string? Version { get; init; }

    /// <summary>First digits of the SHA-256 of its assembly; null: nobody said.</summary>
    public string? Hash { get; init; }

    /// <summary>Its commands, while it runs.</summary>
    public IReadOnlyList<ServiceCommand> Commands { get; init; } = [];

    /// <summary>Commands that ran, or run.</summary>
    public long CommandRuns { get; init; }

    /// <summary>Commands that threw: no faults of the service.</summary>
    public long CommandFaults { get; init; }

    /// <summary>Type and text of what it threw last; null if it never did.</summary>
    public string? LastFault { get; init; }

    /// <summary>What is not as it should be, in its own words (<see cref="IServiceHealth"/>); null: nothing.</summary>
    public string? Unwell { get; init; }

    /// <summary>Which contracts it needs that no service here offers, in words; null: none.</summary>
    public string? Missing { get; init; }
}
