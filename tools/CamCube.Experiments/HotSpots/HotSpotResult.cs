namespace CamCube.Experiments.HotSpots;

/// <summary>What reads of hot items did after warm-up.</summary>
/// <param name="Hops">Cables that a read's request crossed, mean, by counting packets on cables.</param>
/// <param name="CountedHops">The same by the servers' own counters.</param>
/// <param name="RootPart">Part of an item's reads that its root answered, mean of the items.</param>
/// <param name="HoldersPart">Part that was answered from copies.</param>
/// <param name="Copies">Copies of an item, mean.</param>
internal sealed record HotSpotResult(
    double Hops,
    double CountedHops,
    double RootPart,
    double HoldersPart,
    double Copies
);
