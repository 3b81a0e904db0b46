using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>The steps of a batch as bytes: their number, two bytes; then of each kind, condition, version, number,
/// lifetime, lengths of key, metadata and value, and these.</summary>
internal static class BatchFormat
{
    /// <summary>Bytes of a step beside key, metadata and value.</summary>
    public const int Overhead = 30;

    public static void Write(WireWriter writer, IReadOnlyList<KeyValueStep> steps)
    {
        writer.UShort((ushort)steps.Count);
        foreach (KeyValueStep step in steps)
        {
            writer.Byte((byte)step.Kind);
            writer.Byte((byte)step.Condition.Kind);
            writer.ULong(step.Condition.Version);
            writer.ULong((ulong)step.Number);
            writer.UInt(Lifetime.Of(step.Expires));
            writer.UShort((ushort)step.Key.Bytes.Length);
            writer.UShort((ushort)step.Metadata.Length);
            writer.UInt((uint)step.Value.Length);
            writer.Bytes(step.Key.Bytes.Span);
            writer.Bytes(step.Metadata.Span);
            writer.Bytes(step.Value.Span);
        }
    }

    /// <summary>Null: they are none, or not of keys that go where the request went.</summary>
    /// <param name="table">The table of the request.</param>
    /// <param name="first">Its key.</param>
    /// <param name="bytes">The steps, copied.</param>
    public static KeyValueStep[]? Read(int table, ReadOnlySpan<byte> first, ReadOnlySpan<byte> bytes)
    {
        byte[] copy = bytes.ToArray();
        var reader = new WireReader(copy);
        int count = reader.UShort();
        if (count is 0 or > OperationParts.Most || first.IsEmpty)
        {
            return null;
        }

        ulong route = KeyRoute.Of(table, first).Route;
        var steps = new KeyValueStep[count];
        bool isRight = true;
        for (int i = 0; i < count && isRight; i++)
        {
            var kind = (KeyValueStepKind)reader.Byte();
            var condition = (KeyValueConditionKind)reader.Byte();
            ulong version = reader.ULong(),
                number = reader.ULong();
            uint lifetime = reader.UInt();
            int keyLength = reader.UShort(),
                metadataLength = reader.UShort(),
                valueLength = (int)Math.Min(reader.UInt(), int.MaxValue);
            ReadOnlyMemory<byte> key = Take(ref reader, keyLength),
                metadata = Take(ref reader, metadataLength),
                value = Take(ref reader, valueLength);
            steps[i] = new KeyValueStep(kind, new KeyValueKey(key, table))
            {
                Condition = new KeyValueCondition(condition, version),
                Number = (long)number,
                Expires = Lifetime.TimeOf(lifetime),
                Metadata = metadata,
                Value = value,
            };
            isRight =
                !reader.IsBroken
                && kind <= KeyValueStepKind.Expire
                && condition <= KeyValueConditionKind.Version
                && keyLength > 0
                && metadataLength <= OperationFormat.MostMetadata
                && KeyRoute.Of(table, key.Span).Route == route;
        }

        return isRight && reader.Left == 0 ? steps : null;

        ReadOnlyMemory<byte> Take(ref WireReader from, int length)
        {
            int at = copy.Length - from.Left;
            return from.Take(length).IsEmpty ? default : copy.AsMemory(at, length);
        }
    }
}
