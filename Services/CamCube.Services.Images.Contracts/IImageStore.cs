using System.Buffers;

namespace CamCube.Services.Images;

/// <summary>
/// The image store as other services and front ends of the same server see it (HPDC §5.3): one store on all servers. An
/// original goes once through the cube, to the server of its name; there its variants are made, in processes of their
/// own, the original is kept by the key-value store and the variants by the cache. Loop only; from other threads
/// through <see cref="IServerGate"/>. Nothing here throws for what a network, a disk or a client does: see
/// <see cref="ImageStatus"/>.
/// </summary>
public interface IImageStore
{
    /// <summary>Names of the variants that are made of each image.</summary>
    IReadOnlyList<string> Variants { get; }

    /// <summary>Longest picture in bytes.</summary>
    int MostBytes { get; }

    /// <summary>
    /// Stores a picture under a name, in the place of what is there. It is done once, however often it has to be sent;
    /// where the same bytes are there already, nothing is changed.
    /// </summary>
    /// <param name="name">The name; see <see cref="ImageName"/>.</param>
    /// <param name="picture">The picture as it is, lent until this ends.</param>
    /// <param name="condition">What must be so of what is there.</param>
    /// <returns>Done, when the key-value store has acknowledged the original; Conflict, BadName, UnknownType,
    /// Undecodable, TooLarge, TooManyPixels, Busy, Full, Unavailable or Unknown.</returns>
    ValueTask<ImageAnswer> PutAsync(string name, ReadOnlyMemory<byte> picture, ImageCondition condition = default);

    /// <summary>What there is of a name, without its variants.</summary>
    /// <param name="name">The name.</param>
    /// <returns>Done, NotFound, BadName, DataAway or Unavailable.</returns>
    ValueTask<ImageAnswer> FindAsync(string name);

    /// <summary>What there is of a name, with its variants, and where it lies. Allocates.</summary>
    /// <param name="name">The name.</param>
    ValueTask<ImageInfo> DescribeAsync(string name);

    /// <summary>Begins to read an original piece by piece.</summary>
    /// <param name="name">The name.</param>
    /// <returns>The reader, the caller's; its <see cref="IImageReader.Answer"/> says whether there is anything to
    /// read.</returns>
    ValueTask<IImageReader> OpenReadAsync(string name);

    /// <summary>Reads a variant of the version that is there. If the cache has lost it, it is made again where the
    /// original lies; those who ask for it meanwhile wait for the same work.</summary>
    /// <param name="name">The name.</param>
    /// <param name="variant">One of <see cref="Variants"/>.</param>
    /// <param name="into">Where the bytes go: written on the server's loop before this ends, only with status
    /// Done.</param>
    /// <returns>Done, NotFound, NoSuchVariant, BadName, Undecodable, Busy, NoWorkers, DataAway or
    /// Unavailable.</returns>
    ValueTask<ImageAnswer> GetVariantAsync(string name, string variant, IBufferWriter<byte> into);

    /// <summary>Deletes an image: first the original, then its variants.</summary>
    /// <param name="name">The name.</param>
    /// <param name="condition">What must be so of what is there.</param>
    /// <returns>Done, NotFound, Conflict, BadName, Full, Unavailable or Unknown.</returns>
    ValueTask<ImageAnswer> DeleteAsync(string name, ImageCondition condition = default);
}
