namespace CamCube.Experiments.Streams;

/// <summary>What links do to the order and number of packets.</summary>
internal enum Disorder
{
    /// <summary>A fifth is held back up to 1 ms, and overtaken.</summary>
    HeldBack,

    /// <summary>All come up to 0.5 ms later, in order.</summary>
    Jitter,

    /// <summary>A fifth comes twice, at each hop: the copies fill the links behind.</summary>
    Doubled,
}
