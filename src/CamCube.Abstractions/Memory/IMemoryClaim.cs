namespace CamCube;

/// <summary>
/// Bytes that a service has set apart for one purpose (<see cref="IServerMemory.TryClaim"/>). What it does with them is
/// its own affair: keep its own buffers within <see cref="Bytes"/>, promise them to others as credit, or rent
/// <see cref="Chunk"/>s, which are counted here. When the instance ends, the claim and all its chunks are taken back.
/// Loop only. 0 bytes allocated per chunk in steady state.
/// </summary>
public interface IMemoryClaim
{
    /// <summary>What it is for.</summary>
    string Name { get; }

    /// <summary>Bytes set apart; 0 after <see cref="Release"/> and after the end of the instance.</summary>
    long Bytes { get; }

    /// <summary>Bytes of it that are in chunks.</summary>
    long InChunks { get; }

    /// <summary>Sets more bytes apart. False: there is not so much left, and nothing was taken.</summary>
    /// <param name="bytes">How many more, from 0.</param>
    bool TryGrow(long bytes);

    /// <summary>Gives some back.</summary>
    /// <param name="bytes">How many, from 0.</param>
    /// <exception cref="OwnershipException">More than are outside of chunks.</exception>
    void Shrink(long bytes);

    /// <summary>Takes a chunk with arbitrary bytes in it.</summary>
    /// <param name="chunk">The chunk, the caller's until <see cref="Return"/>.</param>
    /// <returns>False: the claim has no room for one, or has ended. Grow it, or wait until chunks come back.</returns>
    bool TryRentChunk(out Chunk chunk);

    /// <summary>Gives a chunk of this claim back.</summary>
    /// <exception cref="OwnershipException">It is none of this claim's, was returned before, or a disk operation or a
    /// pin still uses it.</exception>
    void Return(Chunk chunk);

    /// <summary>Gives the whole claim back; it can be used no more. Nothing to do if it has ended.</summary>
    /// <exception cref="OwnershipException">It has chunks that were not returned.</exception>
    void Release();
}
