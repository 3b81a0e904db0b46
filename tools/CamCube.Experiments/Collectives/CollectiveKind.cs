namespace CamCube.Experiments.Collectives;

/// <summary>Which operation. What has a root has the group's first member.</summary>
internal enum CollectiveKind
{
    /// <summary>All have the sum of all.</summary>
    AllReduce,

    /// <summary>The root has it.</summary>
    Reduce,

    /// <summary>All have what the root has.</summary>
    Broadcast,

    /// <summary>Each has its part of the sum.</summary>
    ReduceScatter,

    /// <summary>All have each other's parts.</summary>
    AllGather,

    /// <summary>All have called it.</summary>
    Barrier,
}
