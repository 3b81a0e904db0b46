using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Ethernet.Interfaces;

/// <summary>A network interface as the system describes it.</summary>
internal sealed record InterfaceInfo
{
    /// <summary>Its name, as in eth1.</summary>
    public required string Name { get; init; }

    /// <summary>Its name for pcap, where that is another one.</summary>
    public string? Device { get; init; }

    /// <summary>Its number; another one once it was removed and made again.</summary>
    public required int Index { get; init; }

    /// <summary>Longest payload of a frame, in bytes without Ethernet header.</summary>
    public required int Mtu { get; init; }

    /// <summary>Whether it is switched on and has a carrier.</summary>
    public required bool IsUp { get; init; }

    /// <summary>Whether it is of Ethernet's kind, with addresses of six bytes.</summary>
    public required bool IsEthernet { get; init; }

    /// <summary>Its Ethernet address.</summary>
    public MacAddress Address { get; init; }

    /// <summary>Whether it is made by software that is no cable (a bridge, a tunnel), or belongs to such a
    /// thing.</summary>
    public bool IsNoCable { get; init; }

    /// <summary>Whether it has an IP address that is valid beyond its cable: then it has another use.</summary>
    public bool HasAddress { get; init; }

    /// <summary>Whether it is taken without being named: an Ethernet interface without another use.</summary>
    public bool IsFree => IsEthernet && !IsNoCable && !HasAddress;
}
