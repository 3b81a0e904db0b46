namespace CamCube.Services.Images;

/// <summary>What there is of a variant.</summary>
/// <param name="Name">Its name.</param>
/// <param name="IsReady">Whether the cache has it. If not, it is made when somebody asks for it.</param>
public readonly record struct ImageVariantInfo(string Name, bool IsReady)
{
    /// <summary>What it is; null: it is not ready.</summary>
    public string? MediaType { get; init; }

    /// <summary>Pixels from left to right.</summary>
    public int Width { get; init; }

    /// <summary>Pixels from top to bottom.</summary>
    public int Height { get; init; }

    /// <summary>Bytes.</summary>
    public long Length { get; init; }
}
