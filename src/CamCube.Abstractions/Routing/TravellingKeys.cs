using System.Buffers.Binary;

namespace CamCube;

/// <summary>
/// The keys of an any-of set of which some are farther than one hop: they travel at the end of the service header, 11
/// bytes each (route, whether it is a key, hops from the last server), so that each server on the way drops those that
/// the chosen link led away from.
/// </summary>
internal static class TravellingKeys
{
    public const int EntryLength = 11;

    /// <summary>How many fit behind a header of this length.</summary>
    public static int Fitting(int headerLength) => (Packet.MaxHeaderLength - headerLength) / EntryLength;

    /// <summary>Whether the header is long enough for what it says is in it.</summary>
    public static bool Fit(Packet packet, int count) =>
        packet.HeaderLength >= ExtendedHeader.Length + (count * EntryLength);

    public static void Add(Packet packet, Destination key, int hops)
    {
        packet.HeaderLength += EntryLength;
        Span<byte> entry = packet.HeaderSpan[^EntryLength..];
        BinaryPrimitives.WriteUInt64LittleEndian(entry, key.Route);
        entry[8] = (byte)(key.IsKey ? 1 : 0);
        BinaryPrimitives.WriteUInt16LittleEndian(entry[9..], (ushort)hops);
        packet.Header<ExtendedHeader>().Travelling++;
    }

    /// <summary>Entry <paramref name="index"/> of <paramref name="count"/>.</summary>
    public static Destination Read(Packet packet, int count, int index, out int hops)
    {
        Span<byte> entry = packet.HeaderSpan.Slice(packet.HeaderLength - ((count - index) * EntryLength), EntryLength);
        hops = BinaryPrimitives.ReadUInt16LittleEndian(entry[9..]);
        return Destination.FromWire(BinaryPrimitives.ReadUInt64LittleEndian(entry), entry[8] != 0);
    }

    /// <summary>Takes all of them off.</summary>
    public static void Clear(Packet packet)
    {
        ref ExtendedHeader header = ref packet.Header<ExtendedHeader>();
        packet.HeaderLength -= header.Travelling * EntryLength;
        header.Travelling = 0;
    }
}
