namespace CamCube.Shim.Ethernet.Settings;

/// <summary>By what the system is asked to move frames (<c>Via</c>).</summary>
internal enum PortMedium
{
    /// <summary>Packet sockets on Linux, pcap elsewhere.</summary>
    Auto,

    /// <summary>Linux's packet sockets.</summary>
    PacketSocket,

    /// <summary>libpcap, Npcap or WinPcap.</summary>
    Pcap,
}
