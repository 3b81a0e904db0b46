namespace CamCube.Experiments.Multicast;

/// <summary>What a multicast experiment computes.</summary>
public sealed class MulticastExperimentOptions
{
    /// <summary>Axis sizes. Default 20x20x20, as in the paper.</summary>
    public TorusShape Shape { get; init; } = new(20, 20, 20);

    /// <summary>Seed of roots, members, and base routing's choices.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>Groups per member fraction, each with a root and members of its own.</summary>
    public int Groups { get; init; } = 50;

    /// <summary>Members as parts of all servers, rising.</summary>
    public IReadOnlyList<double> Fractions { get; init; } =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1];
}
