using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.KeyValues;

/// <summary>Which disks of a run may be damaged. What only stops, refuses or delays, or tears what was not synced, may
/// befall all of them. What takes promises away may befall one of each group, and servers stand in for each other: one
/// of the run.</summary>
internal sealed class HarmedDisks(SwarmOptions options)
{
    private int _harmed = -1;

    /// <summary>Faults that a run may have.</summary>
    public static IReadOnlyCollection<FaultKind> Kinds { get; } =
    [
        FaultKind.DiskRot,
        FaultKind.MisplacedWrites,
        FaultKind.StuckDisk,
        FaultKind.LostFiles,
        FaultKind.TornWrites,
        FaultKind.FullDisk,
        FaultKind.SlowDisk,
        FaultKind.FailingDisk,
    ];

    /// <summary>Whether a store was right to throw: it says so when its disk fails.</summary>
    public bool MayThrow(string fault) =>
        options.Has(FaultKind.FailingDisk) && fault.Contains("StoreFailureException", StringComparison.Ordinal);

    /// <summary>Whether a fault may begin at a server.</summary>
    public bool MayHarm(int rank, FaultKind kind)
    {
        if (kind is not (FaultKind.DiskRot or FaultKind.MisplacedWrites or FaultKind.LostFiles or FaultKind.LyingSyncs))
        {
            return true;
        }

        // Of two members both are needed.
        if (options.ToShape().Count < 3)
        {
            return false;
        }

        _harmed = _harmed < 0 ? rank : _harmed;
        return rank == _harmed;
    }
}
