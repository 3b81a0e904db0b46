namespace CamCube.Shim.Udp.Sealing;

/// <summary>How long frames and datagrams may be on a path. Pure functions; any thread.</summary>
internal static class FrameSizes
{
    /// <summary>Longest frame of all, without Ethernet header.</summary>
    public const int LongestFrame = 9_000;

    /// <summary>What every link of a cube carries at least, without Ethernet header.</summary>
    public const int LeastFrame = 1_500;

    /// <summary>The IP packet that every path carries.</summary>
    public const int LeastMtu = 1_280;

    /// <summary>Longest datagram there can be.</summary>
    public const int LongestDatagram = LongestFrame + FrameFormat.Overhead;

    private const int EthernetHeader = 14;

    // An IPv6 header and UDP's; what IPv4 has less stays unused, so that both families carry the same.
    private const int NetworkHeaders = 40 + 8;

    /// <summary>Most bytes of a frame that go into one datagram of a path.</summary>
    public static int InOneDatagram(int mtu) => Math.Min(LongestFrame, mtu - NetworkHeaders - FrameFormat.Overhead);

    /// <summary>Longest frame of a path, without Ethernet header: one datagram, or two where that would be too
    /// little.</summary>
    public static int Longest(int mtu) => Math.Max(LeastFrame, InOneDatagram(mtu));

    /// <summary>As <see cref="Longest"/>, with the 14 bytes that lengths of links count.</summary>
    public static int MaxFrameLength(int mtu) => Longest(mtu) + EthernetHeader;
}
