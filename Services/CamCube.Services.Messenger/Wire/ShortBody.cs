using System.Buffers.Binary;

namespace CamCube.Services.Messenger.Wire;

/// <summary>
/// The body of a short message, little-endian: with windows lent for the answer first their handle 8 and each one's
/// length 4; then for each item offset 2 and length 2, from the body's start; then the items' bytes. An offer has the
/// length 4 of each item in their place.
/// </summary>
internal static class ShortBody
{
    /// <summary>Most items.</summary>
    public const int MostItems = 255;

    /// <summary>Most windows that a call lends.</summary>
    public const int MostReturns = 16;

    /// <summary>Bytes of an item's place.</summary>
    public const int ItemSize = 4;

    /// <summary>Bytes in front of the items' places.</summary>
    public static int ReturnBytes(int returns) => returns == 0 ? 0 : 8 + (4 * returns);

    /// <summary>Bytes in front of the items.</summary>
    public static int HeadBytes(int returns, int items) => ReturnBytes(returns) + (ItemSize * items);

    /// <summary>Whether a body has room for what its header says, and all items lie in it.</summary>
    public static bool IsValid(ReadOnlySpan<byte> body, int returns, int items)
    {
        if (returns > MostReturns || HeadBytes(returns, items) > body.Length)
        {
            return false;
        }

        for (int i = 0; i < items; i++)
        {
            (int offset, int length) = PlaceOf(body, returns, i);
            if (offset + length > body.Length)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether the body of an offer is as its header says.</summary>
    public static bool IsValidOffer(ReadOnlySpan<byte> body, int items) =>
        items > 0 && body.Length == items * 4 && !HasNegative(body);

    public static ReadOnlySpan<byte> Item(ReadOnlySpan<byte> body, int returns, int item)
    {
        (int offset, int length) = PlaceOf(body, returns, item);
        return body.Slice(offset, length);
    }

    public static int OfferLength(ReadOnlySpan<byte> body, int item) =>
        BinaryPrimitives.ReadInt32LittleEndian(body[(item * 4)..]);

    public static ulong Handle(ReadOnlySpan<byte> body) => BinaryPrimitives.ReadUInt64LittleEndian(body);

    public static int ReturnLength(ReadOnlySpan<byte> body, int number) =>
        BinaryPrimitives.ReadInt32LittleEndian(body[(8 + (number * 4))..]);

    /// <summary>Writes all of a body that is long enough.</summary>
    public static void Write(
        Span<byte> body,
        ulong handle,
        ReadOnlySpan<Window> returns,
        ReadOnlySpan<ReadOnlyMemory<byte>> items
    )
    {
        if (!returns.IsEmpty)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(body, handle);
        }

        for (int i = 0; i < returns.Length; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(body[(8 + (i * 4))..], returns[i].Length);
        }

        int offset = HeadBytes(returns.Length, items.Length);
        for (int i = 0; i < items.Length; i++)
        {
            ReadOnlySpan<byte> item = items[i].Span;
            WritePlace(body, returns.Length, i, offset, item.Length);
            item.CopyTo(body[offset..]);
            offset += item.Length;
        }
    }

    /// <summary>Writes the body of a message of one item.</summary>
    public static void Write(Span<byte> body, ReadOnlySpan<byte> item)
    {
        WritePlace(body, 0, 0, ItemSize, item.Length);
        item.CopyTo(body[ItemSize..]);
    }

    public static void WriteOffer(Span<byte> body, ReadOnlySpan<ReadOnlyMemory<byte>> items)
    {
        for (int i = 0; i < items.Length; i++)
        {
            BinaryPrimitives.WriteInt32LittleEndian(body[(i * 4)..], items[i].Length);
        }
    }

    private static void WritePlace(Span<byte> body, int returns, int item, int offset, int length)
    {
        Span<byte> place = body.Slice(ReturnBytes(returns) + (item * ItemSize), ItemSize);
        BinaryPrimitives.WriteUInt16LittleEndian(place, (ushort)offset);
        BinaryPrimitives.WriteUInt16LittleEndian(place[2..], (ushort)length);
    }

    private static (int Offset, int Length) PlaceOf(ReadOnlySpan<byte> body, int returns, int item)
    {
        ReadOnlySpan<byte> place = body.Slice(ReturnBytes(returns) + (item * ItemSize), ItemSize);
        return (BinaryPrimitives.ReadUInt16LittleEndian(place), BinaryPrimitives.ReadUInt16LittleEndian(place[2..]));
    }

    private static bool HasNegative(ReadOnlySpan<byte> body)
    {
        for (int i = 3; i < body.Length; i += 4)
        {
            if (body[i] > 127)
            {
                return true;
            }
        }

        return false;
    }
}
