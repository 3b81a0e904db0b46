namespace CamCube;

/// <summary>What somebody else than a server of CamCube puts on a cable, as a sample shows it. An unchanging
/// snapshot.</summary>
/// <param name="Protocol">Of the frame that says most: <c>IPv4</c>, <c>ARP</c>, <c>LLDP</c>, <c>VLAN 5 IPv4</c>,
/// <c>EtherType 0x8863</c>. Short, ASCII.</param>
/// <param name="Source">Who sent it: its IP address, the name that a switch gives itself, or its Ethernet address.
/// Short, ASCII.</param>
/// <param name="Sender">Its Ethernet address.</param>
/// <param name="Frames">Foreign frames of all kinds that arrived while somebody looked.</param>
/// <param name="LastSeenMillis">When the last one was seen, in milliseconds since 1970.</param>
public sealed record ForeignTraffic(string Protocol, string Source, string Sender, long Frames, long LastSeenMillis)
{
    /// <summary>For people: <c>IPv4 from 192.0.2.7</c>.</summary>
    public string Text => $"{Protocol} from {Source}";
}
