namespace CamCube.Services.KeyValue;

/// <summary>
/// What the keys begin with under which the bundled services keep their own, in the tables that they are given. The
/// store has no owners: who puts keys that others choose looks here first, so that no value of theirs takes the place
/// of a directory or of a file's bytes.
/// </summary>
public static class ServiceKeys
{
    /// <summary>Names of the file store, behind it their directory as a tag.</summary>
    public const string File = "file{";

    /// <summary>Directories of the file store that are there.</summary>
    public const string OpenDirectory = "open{";

    /// <summary>Directories of the file store that are gone.</summary>
    public const string ShutDirectory = "shut{";

    /// <summary>Bytes of files.</summary>
    public const string Chunk = "chunk{";

    /// <summary>Bytes that the file store's quota counts: the whole key.</summary>
    public const string UsedBytes = "used";

    /// <summary>Originals of the image store.</summary>
    public const string Image = "image/";

    /// <summary>Whether a key is such a one. Any thread.</summary>
    /// <param name="key">The key's bytes.</param>
    public static bool Contain(ReadOnlySpan<byte> key) =>
        key.StartsWith("file{"u8)
        || key.StartsWith("open{"u8)
        || key.StartsWith("shut{"u8)
        || key.StartsWith("chunk{"u8)
        || key.StartsWith("image/"u8)
        || key.SequenceEqual("used"u8);
}
