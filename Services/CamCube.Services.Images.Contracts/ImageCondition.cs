namespace CamCube.Services.Images;

/// <summary>What must be so of a name for a change to be made. Default: nothing.</summary>
public readonly record struct ImageCondition
{
    /// <summary>The version that must be there; 0: there must be none. Null: any, or none.</summary>
    public ulong? Version { get; private init; }

    /// <summary>There is no such image.</summary>
    public static ImageCondition Absent => Is(0);

    /// <summary>The image has this version; 0: there is none.</summary>
    public static ImageCondition Is(ulong version) => new() { Version = version };

    /// <summary>Whether a name fits.</summary>
    /// <param name="version">Its version; 0: there is no such image.</param>
    public bool Fits(ulong version) => Version is null || Version == version;
}
