namespace CamCube.Services.Images;

/// <summary>What there is of a name. Immutable.</summary>
/// <param name="Image">The original.</param>
public sealed record ImageInfo(ImageAnswer Image)
{
    /// <summary>The key of the name, which says where it lies.</summary>
    public Key Key { get; init; }

    /// <summary>The server that works for this name now, and has its variants.</summary>
    public Coordinate Root { get; init; }

    /// <summary>The servers that have the original, or would have it by the plan of the cube as far as they live; the
    /// root first.</summary>
    public IReadOnlyList<Coordinate> Servers { get; init; } = [];

    /// <summary>The variants, in the order of the settings.</summary>
    public IReadOnlyList<ImageVariantInfo> Variants { get; init; } = [];

    /// <summary>What makes variants on the server that was asked, for people; why nothing does, if nothing
    /// does.</summary>
    public string Workers { get; init; } = "";
}
