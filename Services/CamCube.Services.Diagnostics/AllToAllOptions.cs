namespace CamCube.Services.Diagnostics;

/// <summary>The traffic of one server in the all-to-all pattern.</summary>
public sealed class AllToAllOptions
{
    /// <summary>Bits per second that each server offers, of frames with Ethernet header.</summary>
    public double OfferedBitsPerSecond { get; set; } = 1e9;

    /// <summary>Bytes of each frame with Ethernet header. Default 9,014, a full jumbo frame.</summary>
    public int FrameLength { get; set; } = 9_014;
}
