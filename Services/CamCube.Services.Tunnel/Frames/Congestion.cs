namespace CamCube.Services.Tunnel.Frames;

/// <summary>Marks of congestion in IP packets (ECN, RFC 3168): who understands them slows down without a loss. Any
/// thread; nothing allocates.</summary>
internal static class Congestion
{
    /// <summary>Of the two bits: marked. 0 is who does not understand marks.</summary>
    public const int Marked = 3;

    // IPv6 has them in the same byte, but higher.
    private const int Shift6 = 4;
    private const int Header4 = 20;

    /// <summary>The two bits of a packet that was found right.</summary>
    public static int Of(ReadOnlySpan<byte> packet) => (Is6(packet) ? packet[1] >> Shift6 : packet[1]) & Marked;

    /// <summary>Whether the packet's sender understands marks.</summary>
    public static bool CanBeMarked(ReadOnlySpan<byte> packet) => packet.Length >= Header4 && Of(packet) != 0;

    /// <summary>Marks a packet that was found right. False: its sender does not understand marks, and it is as it
    /// was.</summary>
    public static bool TryMark(Span<byte> packet)
    {
        if (!CanBeMarked(packet))
        {
            return false;
        }

        if (Is6(packet))
        {
            packet[1] |= Marked << Shift6;
        }
        else if (Of(packet) != Marked)
        {
            packet[1] |= Marked;
            InternetSum.WriteHeader4(packet[..((packet[0] & 15) * 4)]);
        }

        return true;
    }

    private static bool Is6(ReadOnlySpan<byte> packet) => packet[0] >> 4 == 6;
}
