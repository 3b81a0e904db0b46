using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Records of a state as bytes.</summary>
internal static class StateRecordFormat
{
    public static void Write(
        WireWriter writer,
        in LogRecord head,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value
    )
    {
        writer.Byte(head.Kind);
        writer.Byte(head.Flags);
        writer.ULong(head.Index);
        writer.UInt(head.Generation);
        writer.UInt(head.Epoch);
        writer.UInt(head.Term);
        writer.UInt(head.Expires);
        writer.ULong(head.Version);
        writer.UShort((ushort)key.Length);
        writer.UShort((ushort)extra.Length);
        writer.UInt((uint)value.Length);
        writer.Bytes(key);
        writer.Bytes(extra);
        writer.Bytes(value);
    }

    /// <summary>False: it is none.</summary>
    public static bool TryRead(ref WireReader reader, out LogRecord head, out Operation? operation)
    {
        head = new LogRecord
        {
            Kind = reader.Byte(),
            Flags = reader.Byte(),
            Index = reader.ULong(),
            Generation = reader.UInt(),
            Epoch = reader.UInt(),
            Term = reader.UInt(),
            Expires = reader.UInt(),
            Version = reader.ULong(),
        };
        int keyLength = reader.UShort(),
            extraLength = reader.UShort(),
            valueLength = (int)Math.Min(reader.UInt(), int.MaxValue);
        ReadOnlySpan<byte> key = reader.Take(keyLength),
            extra = reader.Take(extraLength),
            value = reader.Take(valueLength);
        byte flags = (byte)(head.Flags & 0x7F);
        operation = reader.IsBroken ? null : OperationFormat.ReadExtra(flags, head.Expires, key, extra, value);
        return operation is not null;
    }
}
