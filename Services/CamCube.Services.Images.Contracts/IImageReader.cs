namespace CamCube.Services.Images;

/// <summary>An original that is read piece by piece: all bytes are of the version that <see cref="Answer"/> names,
/// whatever becomes of the name meanwhile, or it ends with another status than Done. Loop only; one call at a
/// time.</summary>
public interface IImageReader : IDisposable
{
    /// <summary>What was found: as of <see cref="IImageStore.FindAsync"/>.</summary>
    ImageAnswer Answer { get; }

    /// <summary>From here on only these bytes are read, from the first on. Without it: all.</summary>
    /// <param name="from">The first byte.</param>
    /// <param name="length">How many; what is behind the end is left out.</param>
    void Select(long from, long length);

    /// <summary>The next bytes, valid until the next call. Done without any: this was all.</summary>
    ValueTask<(ImageStatus Status, ReadOnlyMemory<byte> Bytes)> ReadAsync();
}
