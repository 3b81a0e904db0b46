namespace CamCube.Services.KeyValue.Log;

/// <summary>What opening a log came to.</summary>
/// <param name="State">How it was found.</param>
/// <param name="Words">Unless it is whole, why, in one line for people.</param>
/// <param name="Log">The log, unless it is refused or unreadable.</param>
internal sealed record LogOpening(LogState State, string Words, StoreLog? Log)
{
    /// <summary>The id of the store, by which it makes promises: the log's own, or, once damage was found, that of the
    /// start that found it. Of earlier ones its records are, its promises are not.</summary>
    public LogIdentity Store { get; init; }

    /// <summary>What the disk answered, if it is unreadable.</summary>
    public DiskStatus Disk { get; init; }

    /// <summary>It is unreadable, and nothing of it was given to the owner.</summary>
    public bool IsUntouched { get; init; }

    /// <summary>What is wrong with it; empty unless it is damaged. Damage found at an earlier start is not named
    /// again.</summary>
    public IReadOnlyList<LogDamage> Damage { get; init; } = [];

    /// <summary>Writes that a power failure had left in part and that were cut off: nobody was told of them.</summary>
    public int Torn { get; init; }

    /// <summary>Records that were found.</summary>
    public long Records { get; init; }

    /// <summary>Segments that were not read, for their hint was.</summary>
    public int Hints { get; init; }

    /// <summary>Hints that were damaged, or of no segment that is there: ignored. They are written anew.</summary>
    public int IgnoredHints { get; init; }

    /// <summary>A snapshot was taken in place of the records before its mark; only those behind it are
    /// counted.</summary>
    public bool HasSnapshot { get; init; }

    /// <summary>Snapshots that do not fit: ignored.</summary>
    public int IgnoredSnapshots { get; init; }
}
