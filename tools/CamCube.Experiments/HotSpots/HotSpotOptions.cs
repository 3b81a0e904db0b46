namespace CamCube.Experiments.HotSpots;

/// <summary>What a hot-spot experiment runs.</summary>
internal sealed class HotSpotOptions
{
    /// <summary>Axis sizes.</summary>
    public TorusShape Shape { get; init; } = new(8, 8, 8);

    /// <summary>Seed of the cube, the items, and who reads.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>k: extra keys of each item.</summary>
    public int Replicas { get; init; }

    /// <summary>Hot items.</summary>
    public int Items { get; init; } = 1_000;

    /// <summary>Reads of each item through random servers, once its copies are there.</summary>
    public int Lookups { get; init; } = 100;
}
