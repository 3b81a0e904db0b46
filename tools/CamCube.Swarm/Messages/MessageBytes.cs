using System.Buffers.Binary;

namespace CamCube.Swarm.Messages;

/// <summary>Bytes of messages: whom it is for, a number that no other message has, then a function of both.</summary>
internal static class MessageBytes
{
    /// <summary>Least bytes of an item.</summary>
    public const int Least = 16;

    public static byte[] Make(ulong to, ulong number, int length)
    {
        byte[] bytes = new byte[Math.Max(Least, length)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, to);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(8), number);
        for (int i = Least; i < bytes.Length; i++)
        {
            bytes[i] = At(number, i);
        }

        return bytes;
    }

    public static ulong To(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt64LittleEndian(bytes);

    public static ulong Number(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]);

    /// <summary>Whether all bytes are those of its number.</summary>
    public static bool IsRight(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < Least)
        {
            return false;
        }

        ulong number = Number(bytes);
        for (int i = Least; i < bytes.Length; i++)
        {
            if (bytes[i] != At(number, i))
            {
                return false;
            }
        }

        return true;
    }

    private static byte At(ulong number, int offset) => (byte)((number * 31) + (uint)offset + ((uint)offset >> 8));
}
