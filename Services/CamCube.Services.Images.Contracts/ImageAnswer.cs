namespace CamCube.Services.Images;

/// <summary>The end of an operation of the image store.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Version">The version that the name has now: of a conflict the one in its way. Never names two pictures.
/// 0: there is none.</param>
public readonly record struct ImageAnswer(ImageStatus Status, ulong Version = 0)
{
    /// <summary>What it is: <c>image/jpeg</c>. Null: nothing was found.</summary>
    public string? MediaType { get; init; }

    /// <summary>Pixels from left to right, as it is to be looked at.</summary>
    public int Width { get; init; }

    /// <summary>Pixels from top to bottom, as it is to be looked at.</summary>
    public int Height { get; init; }

    /// <summary>Bytes of the original, or of the variant that was asked for.</summary>
    public long Length { get; init; }

    /// <summary>Of a put: not all variants are made, or in the cache. They are made when somebody asks for
    /// them.</summary>
    public bool IsPending { get; init; }

    /// <summary>Of a put: there was none of this name before.</summary>
    public bool IsNew { get; init; }

    /// <summary>Why it was refused, in words for people; null: the status says it.</summary>
    public string? Words { get; init; }
}
