using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Ethernet.Interfaces;

/// <summary>The network interfaces of any system, as the runtime library lists them, with pcap's names for
/// them.</summary>
internal static class PortableInterfaces
{
    private const int Mtu = 1_500;

    /// <summary>All interfaces as they are now. Their numbers are their places in the list.</summary>
    public static IReadOnlyList<InterfaceInfo> List() =>
        [.. NetworkInterface.GetAllNetworkInterfaces().Select(Describe)];

    private static InterfaceInfo Describe(NetworkInterface found, int place)
    {
        byte[] address = found.GetPhysicalAddress().GetAddressBytes();
        IPInterfaceProperties properties = found.GetIPProperties();
        return new InterfaceInfo
        {
            Name = found.Name,
            Device = OperatingSystem.IsWindows() ? @"\Device\NPF_" + found.Id : found.Name,
            Index = place + 1,
            Mtu = ReadMtu(properties),
            IsUp = found.OperationalStatus is OperationalStatus.Up or OperationalStatus.Unknown,
            IsEthernet =
                address.Length == MacAddress.Length
                && found.NetworkInterfaceType
                    is NetworkInterfaceType.Ethernet
                        or NetworkInterfaceType.GigabitEthernet
                        or NetworkInterfaceType.FastEthernetT,
            Address = address.Length == MacAddress.Length ? MacAddress.Read(address) : default,
            HasAddress = properties.UnicastAddresses.Any(a => IsBeyondTheCable(a.Address)),
        };
    }

    private static int ReadMtu(IPInterfaceProperties properties)
    {
        try
        {
            return properties.GetIPv4Properties()?.Mtu is > 0 and var mtu ? mtu : Mtu;
        }
        catch (NetworkInformationException)
        {
            // Without IPv4 there is nothing to ask; Ethernet's own is always right.
            return Mtu;
        }
    }

    private static bool IsBeyondTheCable(IPAddress address) =>
        !address.IsIPv6LinkLocal
        && !(address.AddressFamily == AddressFamily.InterNetwork && address.GetAddressBytes() is [169, 254, ..]);
}
