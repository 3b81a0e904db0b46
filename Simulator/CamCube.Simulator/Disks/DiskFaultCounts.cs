namespace CamCube.Simulator.Disks;

/// <summary>What disk faults have done.</summary>
public readonly record struct DiskFaultCounts
{
    /// <summary>Operations that failed.</summary>
    public long Failed { get; init; }

    /// <summary>Bits that turned over as they were read.</summary>
    public long Flipped { get; init; }

    /// <summary>Operations that took longer.</summary>
    public long Slowed { get; init; }

    /// <summary>Syncs that were not made.</summary>
    public long Lied { get; init; }

    /// <summary>Writes and changes of names that a power failure undid.</summary>
    public long Lost { get; init; }

    /// <summary>Writes of which a power failure left a part.</summary>
    public long Torn { get; init; }

    /// <summary>Writes and changes of names that survived a power failure without having been synced.</summary>
    public long Survived { get; init; }

    /// <summary>Bits of synced bytes that turned over by themselves.</summary>
    public long Rotted { get; init; }

    /// <summary>Writes that went elsewhere.</summary>
    public long Misplaced { get; init; }

    /// <summary>Operations that never ended.</summary>
    public long Stuck { get; init; }

    /// <summary>Files, safe with their names, that were gone after a power failure.</summary>
    public long LostFiles { get; init; }

    /// <summary>Writes and changes of lengths that found no room.</summary>
    public long Full { get; init; }

    /// <summary>Sums, kind by kind.</summary>
    public static DiskFaultCounts operator +(DiskFaultCounts a, DiskFaultCounts b) =>
        new()
        {
            Failed = a.Failed + b.Failed,
            Flipped = a.Flipped + b.Flipped,
            Slowed = a.Slowed + b.Slowed,
            Lied = a.Lied + b.Lied,
            Lost = a.Lost + b.Lost,
            Torn = a.Torn + b.Torn,
            Survived = a.Survived + b.Survived,
            Rotted = a.Rotted + b.Rotted,
            Misplaced = a.Misplaced + b.Misplaced,
            Stuck = a.Stuck + b.Stuck,
            LostFiles = a.LostFiles + b.LostFiles,
            Full = a.Full + b.Full,
        };
}
