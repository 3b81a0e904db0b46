namespace CamCube.Experiments.Cables;

/// <summary>Bodies that make frames as long as those of 1,500 and 9,000 bytes of IP, and what the same frames carry
/// otherwise.</summary>
internal static class PacketSizes
{
    /// <summary>Bytes of a frame's packet with its own header, but for the body: Ethernet, frame and packet
    /// header.</summary>
    public const int Overhead = 14 + 4 + 24;

    /// <summary>Header of the diagnostics service.</summary>
    public const int DiagnosticsHeader = 24;

    private const int Ethernet = 14,
        IPAndUdp = 28,
        IPAndTcp = 52;

    /// <summary>Body of a diagnostics packet.</summary>
    /// <param name="bytes">1,500 or 9,000.</param>
    public static int Diagnostics(int bytes) => bytes + Ethernet - Overhead - DiagnosticsHeader;

    /// <summary>Payload of a UDP datagram.</summary>
    public static int Udp(int bytes) => bytes - IPAndUdp;

    /// <summary>Payload of a TCP segment, which has time stamps.</summary>
    public static int Tcp(int bytes) => bytes - IPAndTcp;
}
