namespace CamCube.Services.Collectives;

/// <summary>A mistake that a server makes, for tests.</summary>
[Flags]
internal enum CollectivesMistake
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Children that have to be asked again are asked an element before the place where they were, and what
    /// comes counts as what follows.</summary>
    ResumesAt = 1,

    /// <summary>What comes first is added first.</summary>
    FoldsAsItComes = 2,
}
