namespace CamCube.Services.Camdoop;

/// <summary>What a job has cost so far, or did: times, bytes, what crossed which cable, and which keys and tasks were
/// heavy. It is put together from what the servers that are there have counted; <see cref="Missing"/> says what is not
/// in it. Immutable.</summary>
/// <param name="Name">The job's name.</param>
/// <param name="Phase">What it was doing.</param>
public sealed record JobReport(string Name, JobPhase Phase)
{
    /// <summary>Keys that are told.</summary>
    public const int MostKeys = 10;

    /// <summary>What people call it.</summary>
    public string Title { get; init; } = "";

    /// <summary>When it was begun, by the clock of the server that was asked.</summary>
    public DateTimeOffset Begun { get; init; }

    /// <summary>How long it has run, or did.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>How long its phases took.</summary>
    public JobTimes Times { get; init; }

    /// <summary>Its bytes, from the input to the output.</summary>
    public JobBytes Bytes { get; init; }

    /// <summary>S: bytes of the output for each intermediate one (NSDI'12 §5.1); null: there is neither yet, or there
    /// are no reduces.</summary>
    public double? OutputRatio { get; init; }

    /// <summary>Attempts at its map tasks.</summary>
    public JobAttempts Maps { get; init; }

    /// <summary>Attempts at its reduces.</summary>
    public JobAttempts Reduces { get; init; }

    /// <summary>Streams of pairs that were opened.</summary>
    public long Pulls { get; init; }

    /// <summary>Of these, those of pulls that had broken off and went on from where they were.</summary>
    public long RePulls { get; init; }

    /// <summary>The map tasks that gave most and least; null: none is done, or who did it has not told.</summary>
    public TaskSkew? MapSkew { get; init; }

    /// <summary>The reduces that took most and least; null: as <see cref="MapSkew"/>.</summary>
    public TaskSkew? ReduceSkew { get; init; }

    /// <summary>Keys that many pairs have, as map functions gave them; null: the job has no reduces.</summary>
    public KeySkew? Keys { get; init; }

    /// <summary>Cables that bytes of the job crossed, or would have without aggregation: by server and link.</summary>
    public IReadOnlyList<LinkLoad> Links { get; init; } = [];

    /// <summary>What is not in it and why, in words for people: lost servers take what they counted with them. Empty:
    /// it is whole.</summary>
    public IReadOnlyList<string> Missing { get; init; } = [];
}
