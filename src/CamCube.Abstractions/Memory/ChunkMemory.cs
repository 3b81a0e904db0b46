using System.Buffers;

namespace CamCube;

/// <summary>The bytes behind chunks: one object per 4 KiB, rented again and again, each time with another
/// turn.</summary>
internal abstract class ChunkMemory : MemoryManager<byte>
{
    /// <summary>Counts the rents; a handle of an earlier one is stale.</summary>
    public uint Turn { get; protected set; }

    /// <summary>Tells it from others of the process.</summary>
    public abstract int Number { get; }

    /// <summary>All of it.</summary>
    public Memory<byte> Whole => CreateMemory(Chunk.Size);

    /// <summary>Who has it, or had it last, for messages.</summary>
    public abstract string Describe();
}
