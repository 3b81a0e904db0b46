namespace CamCube.Services.Workloads.AllToAll;

/// <summary>The traffic of one server in the all-to-all pattern.</summary>
public sealed class AllToAllOptions
{
    /// <summary>Bits per second that each server offers, of frames with Ethernet header.</summary>
    public double OfferedBitsPerSecond { get; set; } = 1e9;

    /// <summary>Bytes of each frame with Ethernet header. Default 9,014, a full jumbo frame.</summary>
    public int FrameLength { get; set; } = 9_014;

    /// <summary>
    /// Virtual time before which nothing is sent. Default zero. Later: failures before that time are known to everybody
    /// first.
    /// </summary>
    public TimeSpan Start { get; set; }

    /// <summary>
    /// False, the default: destinations that this server cannot reach keep their turns, in which packets are dropped.
    /// True: their turns go to the next one that it can reach, so the offered rate goes to those that live.
    /// </summary>
    public bool SkipUnreachable { get; set; }

    /// <summary>Packets that each server sends in all. Default 0: no end.</summary>
    public int MostPackets { get; set; }
}
