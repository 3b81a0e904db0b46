using System.Buffers;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Files <c>seg-0000002a.hint</c>: of each record of a segment all but its value, so that a start need not read values.
/// A first sector as segments have it, written last, with the batches, the length and the number of records of the
/// segment; then chunks of records, each with its length and a sum that knows its place.
/// </summary>
internal static class HintFormat
{
    /// <summary>Bytes in front of a chunk: its length, with these, and its sum.</summary>
    public const int ChunkHead = 8;

    /// <summary>A chunk ends with the record that makes it as long as this.</summary>
    public const int ChunkBytes = 64 << 10;

    // A byte of the head that segments do not use.
    private const int WholeAt = 44;

    private const ulong Magic = 0x5354_4E49_4853_4B43;
    private const int MostChunkBytes = 16 << 20;

    /// <summary>Adds a record.</summary>
    /// <param name="chunk">Where to.</param>
    /// <param name="record">The record as it lies in the segment.</param>
    /// <param name="location">Where.</param>
    /// <param name="isWhole">With its value.</param>
    public static void Add(ArrayBufferWriter<byte> chunk, ReadOnlySpan<byte> record, LogLocation location, bool isWhole)
    {
        RecordFormat.Read(record, out Range _, out Range extra, out Range value);
        int length = isWhole ? value.End.Value : extra.End.Value;
        Span<byte> to = chunk.GetSpan(length);
        record[..length].CopyTo(to);
        to[WholeAt] = isWhole ? (byte)1 : (byte)0;

        // In the place of its sum, which is of no use without the value.
        WriteUInt32LittleEndian(to, location.Offset);
        chunk.Advance(length);
    }

    /// <summary>Sets the head of a chunk whose records stand behind it.</summary>
    public static void Seal(Span<byte> chunk, LogIdentity log, uint segment, long offset)
    {
        WriteUInt32LittleEndian(chunk, (uint)chunk.Length);
        WriteUInt32LittleEndian(chunk[4..], 0);
        WriteUInt32LittleEndian(chunk[4..], Sectors.Sum(Sectors.Seed(log, segment, offset), chunk));
    }

    /// <summary>The length that a chunk says it has; 0 if it cannot be.</summary>
    public static int LengthOf(ReadOnlySpan<byte> head) =>
        ReadUInt32LittleEndian(head) is var length and > ChunkHead and <= MostChunkBytes ? (int)length : 0;

    /// <summary>Whether a chunk is as it was written there.</summary>
    public static bool IsRight(ReadOnlySpan<byte> chunk, LogIdentity log, uint segment, long offset)
    {
        Span<byte> head = stackalloc byte[ChunkHead];
        chunk[..ChunkHead].CopyTo(head);
        head[4..].Clear();
        uint sum = Sectors.Sum(Sectors.Seed(log, segment, offset), head);
        return ReadUInt32LittleEndian(chunk[4..]) == Sectors.Sum(sum, chunk[ChunkHead..]);
    }

    /// <summary>The next record of a chunk that is right.</summary>
    /// <param name="rest">What is left of the chunk; moved on.</param>
    /// <param name="segment">The segment.</param>
    /// <param name="location">Where the record lies.</param>
    /// <param name="isWhole">Its value is there.</param>
    /// <returns>Its head, key and extra bytes, as <see cref="RecordFormat.Read"/> takes them.</returns>
    public static ReadOnlySpan<byte> Next(
        ref ReadOnlySpan<byte> rest,
        uint segment,
        out LogLocation location,
        out bool isWhole
    )
    {
        RecordFormat.Read(rest, out Range _, out Range extra, out Range value);
        isWhole = rest[WholeAt] != 0;
        int length = isWhole ? value.End.Value : extra.End.Value,
            all = (value.End.Value + 7) & ~7;
        location = new LogLocation(segment, ReadUInt32LittleEndian(rest), all);
        ReadOnlySpan<byte> record = rest[..length];
        rest = rest[length..];
        return record;
    }

    /// <summary>Writes the first sector.</summary>
    public static void Write(Span<byte> sector, LogIdentity log, LogSegment segment, long records, long length)
    {
        SegmentFormat.Write(sector, Magic, log, segment.Number);
        WriteUInt64LittleEndian(sector[32..], segment.First);
        WriteUInt64LittleEndian(sector[40..], segment.Last);
        WriteInt64LittleEndian(sector[48..], segment.End);
        WriteInt64LittleEndian(sector[56..], records);
        WriteInt64LittleEndian(sector[64..], length);
        SegmentFormat.Seal(sector);
    }

    /// <summary>Reads it. False: it is no hint of this format for this segment as it is now.</summary>
    /// <param name="sector">The sector.</param>
    /// <param name="log">The log.</param>
    /// <param name="segment">The segment.</param>
    /// <param name="batches">Its first and its last batch.</param>
    /// <param name="records">How many records there are.</param>
    /// <param name="length">The length of the hint.</param>
    public static bool TryRead(
        ReadOnlySpan<byte> sector,
        LogIdentity log,
        LogSegment segment,
        out (ulong First, ulong Last) batches,
        out long records,
        out long length
    )
    {
        (batches, records, length) = (default, 0, 0);
        if (
            !SegmentFormat.TryRead(sector, Magic, segment.Number, out uint version, out LogIdentity of)
            || version != SegmentFormat.Version
            || of != log
            || ReadInt64LittleEndian(sector[48..]) != segment.File.Length
        )
        {
            return false;
        }

        batches = (ReadUInt64LittleEndian(sector[32..]), ReadUInt64LittleEndian(sector[40..]));
        (records, length) = (ReadInt64LittleEndian(sector[56..]), ReadInt64LittleEndian(sector[64..]));
        return batches.First > 0 && batches.Last >= batches.First;
    }
}
