namespace CamCube.Services.Distribution;

/// <summary>A mistake that a server makes, for tests.</summary>
[Flags]
internal enum DistributionMistake
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Some of the pieces that it gives to others are not what they were.</summary>
    Forges = 1,

    /// <summary>Nobody looks at the sums of pieces.</summary>
    ServesUnchecked = 2,

    /// <summary>Files get their names whatever their SHA-256 is.</summary>
    NamesUnchecked = 4,

    /// <summary>Some of the pieces that it gives to others are not what they were, and have the same CRC32C: they
    /// differ by a multiple of its polynomial.</summary>
    ForgesSums = 16,

    /// <summary>Pieces that are made of others are wrong, and nobody looks at their sums.</summary>
    Miscodes = 8,

    /// <summary>The manifests of other servers that it gives to others are not what they were, and right in
    /// themselves.</summary>
    ForgesManifests = 32,
}
