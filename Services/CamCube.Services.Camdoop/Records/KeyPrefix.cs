using System.Buffers.Binary;

namespace CamCube.Services.Camdoop.Records;

/// <summary>The first bytes of keys as numbers, which compare as the keys do: mostly that is enough.</summary>
internal static class KeyPrefix
{
    /// <summary>That of a key; a shorter one is filled up with zeros.</summary>
    public static ulong Of(ReadOnlySpan<byte> key)
    {
        if (key.Length >= sizeof(ulong))
        {
            return BinaryPrimitives.ReadUInt64BigEndian(key);
        }

        ulong prefix = 0;
        for (int i = 0; i < key.Length; i++)
        {
            prefix |= (ulong)key[i] << (56 - (8 * i));
        }

        return prefix;
    }
}
