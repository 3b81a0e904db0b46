using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Flooding;

namespace CamCube.Swarm.Tunnels;

/// <summary>A machine that sends datagrams of a swarm run, or gets them. Its addresses follow from this.</summary>
/// <param name="Kind">Where it stands.</param>
/// <param name="Number">Its server's rank; of others which of them it is.</param>
internal readonly record struct TunnelEnd(TunnelEndKind Kind, int Number)
{
    private const ulong FirstBridged = 0x5254_0000_0000;
    private const uint FirstBridged4 = 0x0A4D_8001,
        FirstBeyond4 = 0xC000_0201;

    /// <summary>All servers' machines.</summary>
    public static TunnelEnd All => new(TunnelEndKind.All, 0);

    /// <summary>That of a server.</summary>
    public static TunnelEnd Of(int rank) => new(TunnelEndKind.Server, rank);

    /// <summary>One behind the bridge.</summary>
    public static TunnelEnd Bridged(int number) => new(TunnelEndKind.Bridged, number);

    /// <summary>One in another network.</summary>
    public static TunnelEnd Beyond(int number) => new(TunnelEndKind.Beyond, number);

    /// <summary>Its Ethernet address as a sender knows it: of another network that of the gateway.</summary>
    public ulong Ethernet(TunnelAddresses addresses, TorusShape shape) =>
        Kind switch
        {
            TunnelEndKind.Server => addresses.EthernetOf(shape.At(Number)),
            TunnelEndKind.All => GroupAddress.Broadcast,
            TunnelEndKind.Bridged => FirstBridged + (ulong)Number,
            _ => TunnelAddresses.GatewayEthernet,
        };

    /// <summary>Its IPv4 address.</summary>
    public uint Internet4(TunnelAddresses addresses, TorusShape shape) =>
        Kind switch
        {
            TunnelEndKind.Server => addresses.Internet4Of(shape.At(Number)),
            TunnelEndKind.All => addresses.Broadcast4,
            TunnelEndKind.Bridged => FirstBridged4 + (uint)Number,
            _ => FirstBeyond4 + (uint)Number,
        };
}
