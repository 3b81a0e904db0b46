using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>A segment as a snapshot knows it.</summary>
/// <param name="Number">Its number.</param>
/// <param name="IsDamaged">Something in it is not as it was written.</param>
/// <param name="First">Its first batch; 0 if it has none.</param>
/// <param name="Last">Its last batch.</param>
/// <param name="End">Bytes that are synced.</param>
internal sealed record MarkedSegment(uint Number, bool IsDamaged, ulong First, ulong Last, long End)
{
    /// <summary>Bytes of one, without its keys.</summary>
    public const int Bytes = 32;

    /// <summary>Keys that it may have records of.</summary>
    public required KeyFilter Keys { get; init; }

    /// <summary>A segment as it is at a mark.</summary>
    public static MarkedSegment Of(LogSegment segment, in LogMark mark) =>
        segment.Number == mark.Segment
            ? new(segment.Number, segment.IsDamaged, segment.First, mark.Last, mark.End) { Keys = segment.Keys }
            : new(segment.Number, segment.IsDamaged, segment.First, segment.Last, segment.End) { Keys = segment.Keys };

    public void Write(SnapshotWriter to)
    {
        to.Add(Number);
        to.Add(IsDamaged ? 1u : 0);
        to.Add(First);
        to.Add(Last);
        to.Add((ulong)End);
        Keys.CopyTo(to);
    }

    /// <summary>Reads one; null: that cannot be.</summary>
    public static async ValueTask<MarkedSegment?> Read(SnapshotReader from)
    {
        byte[] head = new byte[Bytes];
        return await from.Read(head).ConfigureAwait(true) && await KeyFilter.Read(from).ConfigureAwait(true) is { } keys
            ? new(
                ReadUInt32LittleEndian(head),
                head[4] != 0,
                ReadUInt64LittleEndian(head.AsSpan(8)),
                ReadUInt64LittleEndian(head.AsSpan(16)),
                ReadInt64LittleEndian(head.AsSpan(24))
            )
            {
                Keys = keys,
            }
            : null;
    }
}
