using CamCube.Services.KeyValue.Coding;

namespace CamCube.Services.KeyValue.Operations;

/// <summary>What a batch makes of its keys, as bytes: a number of two bytes, then of each key kind, lifetime,
/// lengths of key, metadata and value, and these.</summary>
internal static class OperationParts
{
    /// <summary>Most keys of one.</summary>
    public const int Most = 4_096;

    /// <summary>A batch of parts, puts and deletes of one request, each of another key.</summary>
    public static Operation Join(IReadOnlyList<Operation> parts)
    {
        var writer = new WireWriter();
        writer.UShort((ushort)parts.Count);
        foreach (Operation part in parts)
        {
            OperationFormat.WriteKind(writer, part);
            OperationFormat.WriteTime(writer, part);
            writer.UShort((ushort)part.Key.Length);
            writer.UShort((ushort)part.Metadata.Length);
            writer.UInt((uint)part.Value.Length);
            writer.Bytes(part.Key);
            writer.Bytes(part.Metadata);
            writer.Bytes(part.Value);
        }

        Operation first = parts[0];
        return new Operation(OperationKind.Batch, first.Request, first.Closed, first.Key, default, writer.Written);
    }

    /// <summary>The parts of a batch, in its bytes. Null: it is none.</summary>
    public static Operation[]? Read(Operation batch)
    {
        var reader = new WireReader(batch.Value);
        int count = reader.UShort();
        if (count is 0 or > Most)
        {
            return null;
        }

        var parts = new Operation[count];
        for (int number = 0; number < count; number++)
        {
            OperationKind kind = OperationFormat.ReadKind(ref reader, out bool hasTime);
            (uint expires, ulong timeOf) = OperationFormat.ReadTime(ref reader, hasTime);
            (int Key, int Metadata, int Value) lengths = (
                reader.UShort(),
                reader.UShort(),
                (int)Math.Min(reader.UInt(), int.MaxValue)
            );
            int at = batch.Value.Length - reader.Left;
            reader.Take(lengths.Key);
            reader.Take(lengths.Metadata);
            reader.Take(lengths.Value);
            if (reader.IsBroken || lengths.Key == 0 || kind is not (OperationKind.Put or OperationKind.Delete))
            {
                return null;
            }

            parts[number] = new Operation(batch, kind, at, lengths)
            {
                Expires = expires,
                TimeOf = timeOf,
                Part = (number, count),
            };
        }

        return reader.Left == 0 ? parts : null;
    }
}
