namespace CamCube.Loads.Choosing;

/// <summary>Which records are asked for how often.</summary>
public enum KeyDistribution
{
    /// <summary>Few very often, and these anywhere among all (YCSB's scrambled zipfian).</summary>
    Zipfian,

    /// <summary>Those that came last most often.</summary>
    Latest,

    /// <summary>All alike.</summary>
    Uniform,
}
