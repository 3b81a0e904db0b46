using CamCube.Services.Camdoop;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>How a job's pairs get to its reduces.</summary>
/// <param name="Name">What the papers call it.</param>
/// <param name="Shim">What the testbed has.</param>
/// <param name="Combines">Whether pairs are combined on the way.</param>
/// <param name="Trees">The trees.</param>
internal sealed record CableVariant(string Name, string Shim, bool Combines, JobTrees Trees)
{
    /// <summary>Merged and combined at every server.</summary>
    public static CableVariant Camdoop { get; } = new("camdoop", "ethernet", Combines: true, JobTrees.Six);

    /// <summary>Merged at every server.</summary>
    public static CableVariant NoAggregation { get; } =
        new("no-aggregation", "ethernet", Combines: false, JobTrees.Six);

    /// <summary>Each reduce asks each map task, through the switch.</summary>
    public static CableVariant Tcp { get; } = new("tcp", "switch", Combines: false, JobTrees.None);
}
