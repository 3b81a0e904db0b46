using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// What the file <c>store</c> says of the log beside whose it is: the store's id now, what was deleted, so that a start
/// does not take the gap for damage, and what damage is known. Never changed; another one takes its place.
/// </summary>
internal sealed record StoreNotes
{
    private const int Head = 4 * sizeof(uint);
    private const int RangeBytes = 2 * sizeof(ulong);
    private const int DamageBytes = 16;

    /// <summary>The incarnation of the server that gave the store its present id; 0: the one that made
    /// the log.</summary>
    public ulong Store { get; init; }

    /// <summary>The owner has not begun anew yet under the present id (<see cref="ILogOwner.BeginsAnew"/>).</summary>
    public bool IsPending { get; init; }

    /// <summary>The last segment that was begun: it is there, or it was lost.</summary>
    public uint Begun { get; init; }

    /// <summary>Segments that were deleted. One that is there nevertheless is not read.</summary>
    public NumberRanges Segments { get; init; } = new();

    /// <summary>Batches that were deleted, or are known to be lost.</summary>
    public NumberRanges Batches { get; init; } = new();

    /// <summary>Damage for which the store has a new id already, by segment.</summary>
    public IReadOnlyList<LogDamage> Damage { get; init; } = [];

    public byte[] ToBytes()
    {
        byte[] bytes = new byte[Head + (RangeBytes * (Segments.Count + Batches.Count)) + (DamageBytes * Damage.Count)];
        WriteUInt32LittleEndian(bytes, (uint)Segments.Count);
        WriteUInt32LittleEndian(bytes.AsSpan(4), (uint)Batches.Count);
        WriteUInt32LittleEndian(bytes.AsSpan(8), (uint)Damage.Count);
        WriteUInt32LittleEndian(bytes.AsSpan(12), Begun);
        int at = Head;
        foreach (NumberRanges ranges in (ReadOnlySpan<NumberRanges>)[Segments, Batches])
        {
            for (int i = 0; i < ranges.Count; i++, at += RangeBytes)
            {
                WriteUInt64LittleEndian(bytes.AsSpan(at), ranges[i].First);
                WriteUInt64LittleEndian(bytes.AsSpan(at + sizeof(ulong)), ranges[i].Last);
            }
        }

        foreach (LogDamage damage in Damage)
        {
            WriteUInt32LittleEndian(bytes.AsSpan(at), damage.Segment);

            // Places are multiples of 512, and the kind has one bit.
            WriteUInt32LittleEndian(bytes.AsSpan(at + 4), (uint)damage.Offset | (uint)damage.Kind);
            WriteUInt32LittleEndian(bytes.AsSpan(at + 8), (uint)damage.End);
            WriteUInt32LittleEndian(bytes.AsSpan(at + 12), damage.Sum);
            at += DamageBytes;
        }

        return bytes;
    }

    /// <summary>Reads what <see cref="ToBytes"/> wrote; the caller has looked at the sum.</summary>
    public static StoreNotes Read(ulong store, ReadOnlySpan<byte> bytes)
    {
        (NumberRanges segments, NumberRanges batches) = (new(), new());
        (uint countSegments, uint countBatches) = (ReadUInt32LittleEndian(bytes), ReadUInt32LittleEndian(bytes[4..]));
        var damage = new LogDamage[ReadUInt32LittleEndian(bytes[8..])];
        uint begun = ReadUInt32LittleEndian(bytes[12..]);
        bytes = bytes[Head..];
        for (uint i = 0; i < countSegments + countBatches; i++, bytes = bytes[RangeBytes..])
        {
            (i < countSegments ? segments : batches).Add(
                ReadUInt64LittleEndian(bytes),
                ReadUInt64LittleEndian(bytes[sizeof(ulong)..])
            );
        }

        for (int i = 0; i < damage.Length; i++, bytes = bytes[DamageBytes..])
        {
            uint place = ReadUInt32LittleEndian(bytes[4..]);
            damage[i] = new LogDamage(
                (LogDamageKind)(place & 1),
                ReadUInt32LittleEndian(bytes),
                place & ~(uint)(Sectors.Size - 1)
            )
            {
                End = ReadUInt32LittleEndian(bytes[8..]),
                Sum = ReadUInt32LittleEndian(bytes[12..]),
            };
        }

        return new StoreNotes
        {
            Store = store,
            Begun = begun,
            Segments = segments,
            Batches = batches,
            Damage = damage,
        };
    }
}
