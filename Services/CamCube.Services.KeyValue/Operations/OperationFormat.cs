using CamCube.Calls;
using CamCube.Services.KeyValue.Coding;

namespace CamCube.Services.KeyValue.Operations;

/// <summary>Operations on the wire, and what lies beside key and value of one in the log.</summary>
internal static class OperationFormat
{
    /// <summary>In the flags of a record, beside the kind: its extra bytes say which part of a batch it is.</summary>
    public const byte PartFlag = 0x40;

    /// <summary>Beside the kind: the time of another version goes on, which follows.</summary>
    public const byte TimeFlag = 0x20;

    /// <summary>Longest that metadata may be.</summary>
    public const int MostMetadata = 4_096;

    /// <summary>Bytes of what is written beside key, metadata and value: on the wire, at most.</summary>
    public const int Overhead = 56;

    /// <summary>Asker, run, number, closed.</summary>
    public static void WriteRequest(WireWriter writer, in RequestId request, ulong closed)
    {
        writer.Server(request.Asker);
        writer.ULong(request.Run);
        writer.ULong(request.Number);
        writer.ULong(closed);
    }

    public static RequestId ReadRequest(ref WireReader reader, out ulong closed)
    {
        var request = new RequestId(reader.Server(), reader.ULong(), reader.ULong());
        closed = reader.ULong();
        return request;
    }

    public static void Write(WireWriter writer, Operation operation)
    {
        WriteKind(writer, operation);
        WriteRequest(writer, operation.Request, operation.Closed);
        WriteTime(writer, operation);
        writer.UShort((ushort)operation.Key.Length);
        writer.UShort((ushort)operation.Metadata.Length);
        writer.UInt((uint)operation.Value.Length);
        writer.Bytes(operation.Key);
        writer.Bytes(operation.Metadata);
        writer.Bytes(operation.Value);
    }

    /// <summary>Null: it is none.</summary>
    public static Operation? Read(ref WireReader reader)
    {
        OperationKind kind = ReadKind(ref reader, out bool hasTime);
        RequestId request = ReadRequest(ref reader, out ulong closed);
        (uint expires, ulong timeOf) = ReadTime(ref reader, hasTime);
        int keyLength = reader.UShort(),
            metadataLength = reader.UShort(),
            valueLength = (int)Math.Min(reader.UInt(), int.MaxValue);
        ReadOnlySpan<byte> key = reader.Take(keyLength),
            metadata = reader.Take(metadataLength),
            value = reader.Take(valueLength);
        return reader.IsBroken || keyLength == 0 || !IsKind(kind, value)
            ? null
            : Whole(new Operation(kind, request, closed, key, metadata, value) { Expires = expires, TimeOf = timeOf });
    }

    /// <summary>Kind, and whether the time of another version goes on.</summary>
    public static void WriteKind(WireWriter writer, Operation operation) =>
        writer.Byte((byte)((byte)operation.Kind | (operation.TimeOf != 0 ? TimeFlag : 0)));

    /// <summary>The same, read.</summary>
    public static OperationKind ReadKind(ref WireReader reader, out bool hasTime)
    {
        byte first = reader.Byte();
        hasTime = (first & TimeFlag) != 0;
        return (OperationKind)(first & ~TimeFlag);
    }

    /// <summary>Lifetime, and of which version.</summary>
    public static void WriteTime(WireWriter writer, Operation operation)
    {
        writer.UInt(operation.Expires);
        if (operation.TimeOf != 0)
        {
            writer.ULong(operation.TimeOf);
        }
    }

    /// <summary>The same, read.</summary>
    public static (uint Expires, ulong TimeOf) ReadTime(ref WireReader reader, bool hasTime) =>
        (reader.UInt(), hasTime ? reader.ULong() : 0);

    /// <summary>The flags of its record.</summary>
    public static byte FlagsOf(Operation operation) =>
        (byte)(
            (byte)operation.Kind | (operation.Part.Count > 0 ? PartFlag : 0) | (operation.TimeOf != 0 ? TimeFlag : 0)
        );

    /// <summary>The extra bytes of a record.</summary>
    public static void WriteExtra(WireWriter writer, Operation operation)
    {
        WriteRequest(writer, operation.Request, operation.Closed);
        if (operation.Part.Count > 0)
        {
            writer.UShort((ushort)operation.Part.Number);
            writer.UShort((ushort)operation.Part.Count);
        }

        if (operation.TimeOf != 0)
        {
            writer.ULong(operation.TimeOf);
        }

        writer.Bytes(operation.Metadata);
    }

    /// <summary>Whether what comes of an operation follows from it without its value.</summary>
    public static bool CanDoWithoutValue(byte flags) =>
        (OperationKind)(flags & ~TimeFlag) is OperationKind.Put or OperationKind.Add or OperationKind.Exchange;

    /// <summary>An operation from its record. Null: it is none.</summary>
    /// <param name="flags">The record's.</param>
    /// <param name="expires">The record's.</param>
    /// <param name="key">The key.</param>
    /// <param name="extra">Extra bytes.</param>
    /// <param name="value">The value, if it is there.</param>
    /// <param name="awayLength">Its bytes, if it is not.</param>
    public static Operation? ReadExtra(
        byte flags,
        uint expires,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        int awayLength = 0
    )
    {
        var reader = new WireReader(extra);
        RequestId request = ReadRequest(ref reader, out ulong closed);
        var kind = (OperationKind)(flags & ~(PartFlag | TimeFlag));
        bool isPart = (flags & PartFlag) != 0;
        (int Number, int Count) part = isPart ? (reader.UShort(), reader.UShort()) : default;
        ulong timeOf = (flags & TimeFlag) != 0 ? reader.ULong() : 0;
        bool isRight = isPart
            ? kind is OperationKind.Put or OperationKind.Delete && part.Number < part.Count
            : IsKind(kind, value) && kind != OperationKind.Batch;
        isRight &= awayLength == 0 || CanDoWithoutValue(flags);
        return reader.IsBroken || key.IsEmpty || !isRight
            ? null
            : Whole(
                new Operation(kind, request, closed, key, reader.Rest(), value)
                {
                    Expires = expires,
                    TimeOf = timeOf,
                    Part = part,
                    AwayLength = awayLength,
                }
            );
    }

    /// <summary>The metadata in the extra bytes of a record.</summary>
    public static ReadOnlyMemory<byte> MetadataOf(byte flags, ReadOnlyMemory<byte> extra)
    {
        int before =
            RequestLength
            + ((flags & PartFlag) != 0 ? 2 * sizeof(ushort) : 0)
            + ((flags & TimeFlag) != 0 ? sizeof(ulong) : 0);
        return extra.Length < before ? default : extra[before..];
    }

    private const int RequestLength = 30;

    // One that names pieces must say which, and one that has parts.
    private static Operation? Whole(Operation operation) =>
        operation is { Kind: OperationKind.PutPieces, Pieces: null } or { Kind: OperationKind.Batch, Parts: null }
            ? null
            : operation;

    private static bool IsKind(OperationKind kind, ReadOnlySpan<byte> value) =>
        kind
            is OperationKind.Put
                or OperationKind.Delete
                or OperationKind.Add
                or OperationKind.Exchange
                or OperationKind.Take
                or OperationKind.PutPieces
                or OperationKind.Batch
        || (kind == OperationKind.Refusal && value.Length is Outcome.Length or Outcome.StepLength);
}
