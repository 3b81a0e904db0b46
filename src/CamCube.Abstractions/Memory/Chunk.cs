namespace CamCube;

/// <summary>
/// 4 KiB of memory outside the heap, at a multiple of 4 KiB, rented from a claim
/// (<see cref="IMemoryClaim.TryRentChunk"/>). A handle: copies name the same bytes, and all of them are stale once one
/// was returned; a stale one throws. Its <see cref="Memory"/> may be handed to <see cref="IDiskFile"/>: the chunk is
/// then not used for anything else before that operation has ended, even if the service's instance ends first. Work off
/// the loop (<see cref="IServer.Memory"/> is loop only) must hold it by <c>Memory.Pin()</c>, made on the loop, for the
/// same reason.
/// </summary>
/// <remarks>Spans and memories that were taken before it was returned cannot be checked in Release builds; Debug builds
/// fill returned chunks and name who wrote to one later.</remarks>
public readonly struct Chunk : IEquatable<Chunk>
{
    /// <summary>Bytes of a chunk.</summary>
    public const int Size = 4_096;

    private readonly uint _turn;

    internal Chunk(ChunkMemory owner, uint turn) => (Owner, _turn) = (owner, turn);

    /// <summary>True for the default value, which is no chunk.</summary>
    public bool IsEmpty => Owner is null;

    /// <summary>Its bytes.</summary>
    /// <exception cref="OwnershipException">It was returned, or taken back from the instance.</exception>
    public Span<byte> Span => Check().GetSpan();

    /// <summary>The same, for what goes on after the present callback: disk operations.</summary>
    /// <exception cref="OwnershipException">It was returned, or taken back from the instance.</exception>
    public Memory<byte> Memory => Check().Whole;

    internal ChunkMemory? Owner { get; }

    /// <summary>Whether both name the same rent of the same chunk.</summary>
    public static bool operator ==(Chunk left, Chunk right) => left.Equals(right);

    /// <summary>Whether they name different chunks, or different rents of one.</summary>
    public static bool operator !=(Chunk left, Chunk right) => !left.Equals(right);

    /// <inheritdoc/>
    public bool Equals(Chunk other) => Owner == other.Owner && _turn == other._turn;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is Chunk other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => (int)_turn ^ (Owner?.Number ?? 0);

    /// <summary>The memory, if this is not stale.</summary>
    internal ChunkMemory Check()
    {
        if (Owner is not { } owner || owner.Turn != _turn)
        {
            throw Stale();
        }

        return owner;
    }

    private OwnershipException Stale() =>
        Owner is null
            ? new OwnershipException("This is no chunk: nothing was rented.")
            : new OwnershipException(
                $"A chunk was used after it was returned (last {Owner.Describe()}). Drop the handle when you return "
                    + $"a chunk, and in OnStop."
            );
}
