namespace CamCube.Messaging.Streams.Flow;

/// <summary>What a stream needs while bytes of it were written and have not all arrived; lent by
/// <see cref="StreamMemory"/>, so that an idle stream is small. Loop only.</summary>
internal sealed class SendParts(StreamMemory memory)
{
    public StreamMemory Memory => memory;

    public ChunkRun Chunks { get; } = new(memory);

    /// <summary>Bytes behind <see cref="Acknowledged"/> that have arrived.</summary>
    public RangeSet Arrived { get; } = new();

    /// <summary>Bytes that were lost, and are to be sent anew.</summary>
    public RangeSet Lost { get; } = new();

    /// <summary>Room for a piece that does not fit into a chunk.</summary>
    public byte[]? Scratch { get; set; }

    /// <summary>Bytes that have arrived without a gap.</summary>
    public long Acknowledged { get; set; }

    /// <summary>First byte that was never sent.</summary>
    public long Next { get; set; }
}
