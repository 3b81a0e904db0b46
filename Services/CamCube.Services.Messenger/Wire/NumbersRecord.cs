using System.Buffers.Binary;
using System.Text;

namespace CamCube.Services.Messenger.Wire;

/// <summary>An endpoint's numbers between servers: id 8, term 4, state 1, windows 4, received 8, dropped 8, length of
/// the name 1, name; little-endian.</summary>
internal static class NumbersRecord
{
    /// <summary>Bytes of the longest.</summary>
    public const int MostBytes = FixedBytes + EndpointId.MostNameBytes;

    private const int FixedBytes = 34;

    /// <summary>Returns how many bytes were written.</summary>
    public static int Write(Span<byte> to, in EndpointNumbers numbers)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(to, numbers.Id.Value);
        BinaryPrimitives.WriteUInt32LittleEndian(to[8..], numbers.Term);
        to[12] = (byte)numbers.State;
        BinaryPrimitives.WriteInt32LittleEndian(to[13..], numbers.Windows);
        BinaryPrimitives.WriteInt64LittleEndian(to[17..], numbers.Received);
        BinaryPrimitives.WriteInt64LittleEndian(to[25..], numbers.Dropped);
        int name = Encoding.UTF8.GetBytes(numbers.Name, to[FixedBytes..]);
        to[33] = (byte)name;
        return FixedBytes + name;
    }

    /// <summary>Reads one and moves on behind it. False: there is none.</summary>
    public static bool TryRead(ref ReadOnlySpan<byte> from, out EndpointNumbers numbers)
    {
        numbers = default;
        if (from.Length < FixedBytes || from.Length < FixedBytes + from[33] || from[12] > (byte)EndpointState.Closed)
        {
            return false;
        }

        numbers = new EndpointNumbers(
            Encoding.UTF8.GetString(from.Slice(FixedBytes, from[33])),
            new EndpointId(BinaryPrimitives.ReadUInt64LittleEndian(from)),
            (EndpointState)from[12],
            BinaryPrimitives.ReadUInt32LittleEndian(from[8..]),
            BinaryPrimitives.ReadInt64LittleEndian(from[17..]),
            BinaryPrimitives.ReadInt64LittleEndian(from[25..]),
            BinaryPrimitives.ReadInt32LittleEndian(from[13..])
        );
        from = from[(FixedBytes + from[33])..];
        return true;
    }
}
