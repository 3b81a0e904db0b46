using CamCube.Calls;
using CamCube.Services.KeyValue.Coding;

namespace CamCube.Services.KeyValue.Operations;

/// <summary>Operations on the wire, and what lies beside key and value of one in the log.</summary>
internal static class OperationFormat
{
    /// <summary>In the flags of a record, beside the kind: its extra bytes say which part of a batch it is.</summary>
    public const byte PartFlag = 0x40;

    /// <summary>Longest that metadata may be.</summary>
    public const int MostMetadata = 4_096;

    /// <summary>Bytes of what is written beside key, metadata and value: on the wire, at most.</summary>
    public const int Overhead = 48;

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
        writer.Byte((byte)operation.Kind);
        WriteRequest(writer, operation.Request, operation.Closed);
        writer.UInt(operation.Expires);
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
        var kind = (OperationKind)reader.Byte();
        RequestId request = ReadRequest(ref reader, out ulong closed);
        uint expires = reader.UInt();
        int keyLength = reader.UShort(),
            metadataLength = reader.UShort(),
            valueLength = (int)Math.Min(reader.UInt(), int.MaxValue);
        ReadOnlySpan<byte> key = reader.Take(keyLength),
            metadata = reader.Take(metadataLength),
            value = reader.Take(valueLength);
        return reader.IsBroken || keyLength == 0 || !IsKind(kind, value)
            ? null
            : Whole(new Operation(kind, request, closed, key, metadata, value) { Expires = expires });
    }

    /// <summary>The flags of its record.</summary>
    public static byte FlagsOf(Operation operation) =>
        (byte)((byte)operation.Kind | (operation.Part.Count > 0 ? PartFlag : 0));

    /// <summary>The extra bytes of a record.</summary>
    public static void WriteExtra(WireWriter writer, Operation operation)
    {
        WriteRequest(writer, operation.Request, operation.Closed);
        if (operation.Part.Count > 0)
        {
            writer.UShort((ushort)operation.Part.Number);
            writer.UShort((ushort)operation.Part.Count);
        }

        writer.Bytes(operation.Metadata);
    }

    /// <summary>Whether what comes of an operation follows from it without its value.</summary>
    public static bool CanDoWithoutValue(byte flags) =>
        (OperationKind)flags is OperationKind.Put or OperationKind.Add or OperationKind.Exchange;

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
        var kind = (OperationKind)(flags & ~PartFlag);
        bool isPart = (flags & PartFlag) != 0;
        (int Number, int Count) part = isPart ? (reader.UShort(), reader.UShort()) : default;
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
                    Part = part,
                    AwayLength = awayLength,
                }
            );
    }

    /// <summary>The metadata in the extra bytes of a record.</summary>
    public static ReadOnlyMemory<byte> MetadataOf(byte flags, ReadOnlyMemory<byte> extra)
    {
        int before = RequestLength + ((flags & PartFlag) != 0 ? 2 * sizeof(ushort) : 0);
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
