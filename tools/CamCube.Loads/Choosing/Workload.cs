namespace CamCube.Loads.Choosing;

/// <summary>What is asked of which records.</summary>
/// <param name="Name">What it is called.</param>
/// <param name="Mix">How often what.</param>
/// <param name="Distribution">Of which records.</param>
public sealed record Workload(string Name, OperationMix Mix, KeyDistribution Distribution)
{
    /// <summary>The core workloads of YCSB (Cooper et al., SoCC'10), but for E, which lists keys in order.</summary>
    public static IReadOnlyList<Workload> Core { get; } =
    [
        new("a", new((OperationKind.Get, 50), (OperationKind.Put, 50)), KeyDistribution.Zipfian),
        new("b", new((OperationKind.Get, 95), (OperationKind.Put, 5)), KeyDistribution.Zipfian),
        new("c", new((OperationKind.Get, 100)), KeyDistribution.Zipfian),
        new("d", new((OperationKind.Get, 95), (OperationKind.Insert, 5)), KeyDistribution.Latest),
        new("f", new((OperationKind.Get, 50), (OperationKind.ReadModifyWrite, 50)), KeyDistribution.Zipfian),
    ];
}
