using System.Buffers.Binary;

namespace CamCube.Services.Messenger.Long;

/// <summary>
/// What streams of long messages carry besides items. A pull: from the receiver a bit per item that it wants, then,
/// when it has all of them, one byte; from the sender those items, one behind the other. An answer for lent windows:
/// from who answers a head and the items; from the caller, when it has all of them, one byte.
/// </summary>
internal static class LongWire
{
    /// <summary>The byte that says that all is there.</summary>
    public const byte IsDelivered = 1;

    /// <summary>Bytes in front of the lengths in the head of an answer: method 2, items 1, zero 1, question 8,
    /// source 8, little-endian; then the length 4 of each item.</summary>
    public const int HeadBytes = 20;

    public static int Write(
        Span<byte> head,
        ushort method,
        ulong question,
        EndpointId source,
        ReadOnlySpan<ReadOnlyMemory<byte>> items
    )
    {
        head[..HeadBytes].Clear();
        BinaryPrimitives.WriteUInt16LittleEndian(head, method);
        head[2] = (byte)items.Length;
        BinaryPrimitives.WriteUInt64LittleEndian(head[4..], question);
        BinaryPrimitives.WriteUInt64LittleEndian(head[12..], source.Value);
        for (int i = 0; i < items.Length; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(head[(HeadBytes + (4 * i))..], items[i].Length);
        }

        return HeadBytes + (4 * items.Length);
    }

    public static ushort Method(ReadOnlySpan<byte> head) => BinaryPrimitives.ReadUInt16LittleEndian(head);

    public static int Count(ReadOnlySpan<byte> head) => head[2];

    public static ulong Question(ReadOnlySpan<byte> head) => BinaryPrimitives.ReadUInt64LittleEndian(head[4..]);

    public static EndpointId Source(ReadOnlySpan<byte> head) =>
        new(BinaryPrimitives.ReadUInt64LittleEndian(head[12..]));

    public static int Length(ReadOnlySpan<byte> head, int item) =>
        BinaryPrimitives.ReadInt32LittleEndian(head[(HeadBytes + (4 * item))..]);
}
