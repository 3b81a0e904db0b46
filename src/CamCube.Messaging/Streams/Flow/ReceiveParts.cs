namespace CamCube.Messaging.Streams.Flow;

/// <summary>What a stream needs while bytes of it are here that were not read; lent by <see cref="StreamMemory"/>. Loop
/// only.</summary>
internal sealed class ReceiveParts(StreamMemory memory)
{
    public StreamMemory Memory => memory;

    public ChunkRun Chunks { get; } = new(memory);

    /// <summary>Bytes behind a gap.</summary>
    public RangeSet Early { get; } = new();

    /// <summary>Bytes that are here without a gap.</summary>
    public long InOrder { get; set; }

    /// <summary>The furthest byte that was named.</summary>
    public long Furthest { get; set; }
}
