using System.Net;

namespace CamCube.Services.Tunnel.Cards;

/// <summary>What a card is to be. Immutable; any thread.</summary>
internal sealed record CardTerms
{
    /// <summary>Name of its interface.</summary>
    public required string Interface { get; init; }

    /// <summary>Name of the network namespace it is in; empty: that of the process.</summary>
    public required string Namespace { get; init; }

    /// <summary>Ethernet address, six bytes.</summary>
    public required byte[] Ethernet { get; init; }

    /// <summary>IPv4 address, and the bits of its network.</summary>
    public required (IPAddress Address, int Bits) Internet4 { get; init; }

    /// <summary>IPv6 address, and the bits of its network.</summary>
    public required (IPAddress Address, int Bits) Internet6 { get; init; }

    /// <summary>IPv4 address of the gateway.</summary>
    public required IPAddress Gateway4 { get; init; }

    /// <summary>IPv6 address of the gateway.</summary>
    public required IPAddress Gateway6 { get; init; }

    /// <summary>Whether this machine is one, and has these addresses too.</summary>
    public required bool IsGateway { get; init; }

    /// <summary>Whether it sends there what is for other networks.</summary>
    public required bool HasDefaultRoute { get; init; }

    /// <summary>Whether it may be in a bridge, which then has its addresses.</summary>
    public required bool IsBridged { get; init; }

    /// <summary>Bytes of the longest packet that it carries.</summary>
    public required int Mtu { get; init; }

    /// <summary>IPv4 network of the cube, of which nobody else on the machine may have a part.</summary>
    public required IPNetwork Network4 { get; init; }

    /// <summary>Whether the machine may leave checksums, and the cutting of long packets, to the tunnel.</summary>
    public required bool Offloads { get; init; }
}
