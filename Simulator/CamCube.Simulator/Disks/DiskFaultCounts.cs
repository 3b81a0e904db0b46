namespace CamCube.Simulator.Disks;

/// <summary>What disk faults have done.</summary>
/// <param name="Failed">Operations that failed.</param>
/// <param name="Flipped">Bits that turned over.</param>
/// <param name="Slowed">Operations that took longer.</param>
/// <param name="Lied">Syncs that were not made.</param>
/// <param name="Lost">Writes and changes of names that a power failure undid.</param>
/// <param name="Torn">Writes of which a power failure left a part.</param>
/// <param name="Survived">Writes and changes of names that survived a power failure without having been synced.</param>
public readonly record struct DiskFaultCounts(
    long Failed,
    long Flipped,
    long Slowed,
    long Lied,
    long Lost,
    long Torn,
    long Survived
)
{
    /// <summary>Sums, kind by kind.</summary>
    public static DiskFaultCounts operator +(DiskFaultCounts a, DiskFaultCounts b) =>
        new(
            a.Failed + b.Failed,
            a.Flipped + b.Flipped,
            a.Slowed + b.Slowed,
            a.Lied + b.Lied,
            a.Lost + b.Lost,
            a.Torn + b.Torn,
            a.Survived + b.Survived
        );
}
