using CamCube.Services.KeyValue.Coding;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Keys of a list as bytes, one behind the other.</summary>
internal static class ListedFormat
{
    public static void Write(WireWriter writer, ReadOnlySpan<byte> key, ulong version, long length)
    {
        writer.ULong(version);
        writer.ULong((ulong)length);
        writer.UShort((ushort)key.Length);
        writer.Bytes(key);
    }

    /// <summary>False: they are none.</summary>
    public static bool TryRead(ReadOnlySpan<byte> content, List<KeyValueListing> into)
    {
        var reader = new WireReader(content);
        while (reader.Left > 0)
        {
            ulong version = reader.ULong(),
                length = reader.ULong();
            ReadOnlySpan<byte> key = reader.Take(reader.UShort());
            if (reader.IsBroken || key.IsEmpty || length > long.MaxValue)
            {
                return false;
            }

            into.Add(new KeyValueListing(key.ToArray(), version, (long)length));
        }

        return true;
    }
}
