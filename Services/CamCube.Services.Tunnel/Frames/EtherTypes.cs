namespace CamCube.Services.Tunnel.Frames;

/// <summary>Kinds of Ethernet frames and IP packets that are told apart.</summary>
internal static class EtherTypes
{
    /// <summary>IPv4.</summary>
    public const ushort Internet4 = 0x0800;

    /// <summary>ARP.</summary>
    public const ushort Arp = 0x0806;

    /// <summary>IPv6.</summary>
    public const ushort Internet6 = 0x86DD;

    /// <summary>Protocol number of TCP.</summary>
    public const byte Tcp = 6;

    /// <summary>Protocol number of UDP.</summary>
    public const byte Udp = 17;

    /// <summary>Protocol number of ICMP for IPv4.</summary>
    public const byte Icmp4 = 1;

    /// <summary>Protocol number of ICMP for IPv6.</summary>
    public const byte Icmp6 = 58;

    /// <summary>Bytes of an Ethernet header.</summary>
    public const int HeaderLength = 14;

    /// <summary>Bytes in front of a packet at the card: a virtio header and an Ethernet header.</summary>
    public const int CardLength = VirtioHeader.Length + HeaderLength;

    /// <summary>No kind of a frame: what a packet of the cube carries is a whole one, as it is at the card.</summary>
    public const ushort Whole = 0;
}
