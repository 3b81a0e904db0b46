namespace CamCube.Services.Images.Pictures.Formats;

/// <summary>How large a picture may be.</summary>
public sealed record PictureLimits
{
    /// <summary>The limits that hold unless settings say otherwise.</summary>
    public static readonly PictureLimits Default = new();

    /// <summary>Bytes as they are sent. Default 32 MiB.</summary>
    public int Bytes { get; init; } = 32 << 20;

    /// <summary>Pixels. Default 50 million.</summary>
    public int Pixels { get; init; } = 50_000_000;

    /// <summary>Pixels of a side. Default 16,384.</summary>
    public int Side { get; init; } = 16_384;
}
