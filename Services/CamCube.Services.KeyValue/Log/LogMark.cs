using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>How far a log was: up to where its owner was told of all records.</summary>
/// <param name="Segment">The segment of the last batch.</param>
/// <param name="End">Where that ends.</param>
/// <param name="Last">Its number.</param>
/// <param name="LastAt">Where it begins.</param>
/// <param name="Sum">A sum of its first sector.</param>
internal readonly record struct LogMark(uint Segment, long End, ulong Last, long LastAt, uint Sum)
{
    /// <summary>Bytes of one.</summary>
    public const int Bytes = 32;

    /// <summary>What the first sector of a batch comes to.</summary>
    public static uint SumOf(ReadOnlySpan<byte> batch) => Sectors.Sum(uint.MaxValue, batch[..Sectors.Size]);

    public void Write(SnapshotWriter to)
    {
        to.Add(Segment);
        to.Add(Sum);
        to.Add((ulong)End);
        to.Add(Last);
        to.Add((ulong)LastAt);
    }

    public static LogMark Read(ReadOnlySpan<byte> bytes) =>
        new(
            ReadUInt32LittleEndian(bytes),
            ReadInt64LittleEndian(bytes[8..]),
            ReadUInt64LittleEndian(bytes[16..]),
            ReadInt64LittleEndian(bytes[24..]),
            ReadUInt32LittleEndian(bytes[4..])
        );
}
