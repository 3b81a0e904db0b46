using System.Net.NetworkInformation;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Services.Tunnel.Cards;

/// <summary>Makes TAPs with addresses, in the process's network or in a namespace.</summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxCardMaker : ICardMaker
{
    // As many frames wait for us as for any Ethernet card.
    private const int QueueLength = 1_000;

    // Behind whatever the machine has for other networks by itself.
    private const int RouteMetric = 10_000;

    private const TapOffloads Tcp =
        TapOffloads.Checksum | TapOffloads.SegmentsTcp4 | TapOffloads.SegmentsTcp6 | TapOffloads.SegmentsEcn;

    // A kernel that does not know one of them refuses all; UDP it knows from 6.2 on, and both kinds or none.
    private static readonly TapOffloads[] Sets =
    [
        Tcp | TapOffloads.SegmentsUdp4 | TapOffloads.SegmentsUdp6,
        Tcp,
        TapOffloads.Checksum,
    ];

    /// <inheritdoc/>
    public ICard Open(CardTerms terms)
    {
        TapOffloads offloads = TapOffloads.None;
        try
        {
            if (terms.Namespace.Length == 0)
            {
                return new LinuxCard(Make(terms, out offloads), offloads, ownNamespace: null);
            }

            DescriptorHandle tap = NamespaceFile.Inside(
                terms.Namespace,
                () => Make(terms, out offloads),
                out bool isNew
            );
            return new LinuxCard(tap, offloads, isNew ? terms.Namespace : null);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CardException(
                $"{e.Message}: a network namespace needs root, or CAP_SYS_ADMIN and CAP_NET_ADMIN."
            );
        }
    }

    private static DescriptorHandle Make(CardTerms terms, out TapOffloads offloads)
    {
        bool hasAddresses = FindUsed(terms);
        int error = TapDevice.Open(terms.Interface, out DescriptorHandle tap);
        if (error != 0)
        {
            throw new CardException(WordsOf(error, terms));
        }

        try
        {
            offloads = terms.Offloads ? Array.Find(Sets, set => TapDevice.SetOffload(tap, set) == 0) : TapOffloads.None;

            SetUp(terms, hasAddresses);
            return tap;
        }
        catch
        {
            tap.Dispose();
            throw;
        }
    }

    private static string WordsOf(int error, CardTerms terms) =>
        error switch
        {
            SystemError.NoSuchFile or SystemError.NoSuchDevice or SystemError.NoDevice =>
                "there is no /dev/net/tun: load the module tun (modprobe tun), or give the container the device "
                    + "(--device /dev/net/tun).",
            SystemError.NotPermitted or SystemError.AccessDenied =>
                "a network card needs the right CAP_NET_ADMIN: run as root, or give the service AmbientCapabilities="
                    + "CAP_NET_ADMIN and DeviceAllow=/dev/net/tun.",
            SystemError.Busy or SystemError.Exists =>
                $"there is an interface {terms.Interface} already: choose another name (Services:tunnel:Interface), "
                    + "or, where several servers share a process, a namespace for each (Services:tunnel:Namespace).",
            _ => $"the interface {terms.Interface} cannot be made: {SystemError.Text(error)}.",
        };

    private static void SetUp(CardTerms terms, bool hasAddresses)
    {
        using var route = new RouteSocket();
        uint index = RouteSocket.IndexOf(terms.Interface);
        Check(route.SetEthernet(index, terms.Ethernet), "its Ethernet address", terms);
        Check(route.SetLengths(index, terms.Mtu, QueueLength), $"an MTU of {terms.Mtu}", terms);
        if (hasAddresses)
        {
            Check(route.SetUp(index), "being up", terms);
            return;
        }

        Check(
            route.AddAddress(index, terms.Internet4.Address, terms.Internet4.Bits),
            terms.Internet4.Address.ToString(),
            terms
        );

        int error = route.AddAddress(index, terms.Internet6.Address, terms.Internet6.Bits);
        bool has6 = !IsWithout6(error);
        Check(has6 ? error : 0, terms.Internet6.Address.ToString(), terms);
        if (terms.IsGateway)
        {
            Check(route.AddAddress(index, terms.Gateway4, 32), terms.Gateway4.ToString(), terms);
            Check(has6 ? route.AddAddress(index, terms.Gateway6, 128) : 0, terms.Gateway6.ToString(), terms);
        }

        Check(route.SetUp(index), "being up", terms);
        if (terms.HasDefaultRoute)
        {
            Check(route.AddDefaultRoute(index, terms.Gateway4, RouteMetric), $"a route to {terms.Gateway4}", terms);
            error = has6 ? route.AddDefaultRoute(index, terms.Gateway6, RouteMetric) : 0;
            Check(error, $"a route to {terms.Gateway6}", terms);
        }

        if (terms.Namespace.Length > 0)
        {
            route.SetUp(RouteSocket.IndexOf("lo"));
        }
    }

    // A machine without IPv6 does without.
    private static bool IsWithout6(int error) =>
        error is SystemError.AccessDenied or SystemError.NotSupported or SystemError.NoFamily;

    private static void Check(int error, string what, CardTerms terms)
    {
        if (error != 0)
        {
            throw new CardException(
                $"the interface {terms.Interface} does not get {what}: {SystemError.Text(error)} ({error})."
            );
        }
    }

    // Whether a bridge that the card was in has its addresses; those of others are refused.
    private static bool FindUsed(CardTerms terms)
    {
        bool hasAddresses = false;
        foreach (NetworkInterface one in NetworkInterface.GetAllNetworkInterfaces())
        {
            foreach (UnicastIPAddressInformation address in one.GetIPProperties().UnicastAddresses)
            {
                bool isBridge =
                    terms.IsBridged
                    && one.Name != terms.Interface
                    && (address.Address.Equals(terms.Internet4.Address) || address.Address.Equals(terms.Gateway4));
                hasAddresses |= isBridge;
                if (!isBridge && terms.Network4.Contains(address.Address))
                {
                    // Mostly that of another server of the same process, and another network would not help.
                    throw new CardException(
                        one.Name == terms.Interface
                            ? $"there is a card {one.Name} already, with {address.Address}: servers of one machine "
                                + "need a network namespace each (Services:tunnel:Namespace)."
                            : $"{one.Name} has {address.Address}, which is in {terms.Network4}: choose another network "
                                + "for the tunnel (Services:tunnel:Network4), on all servers."
                    );
                }
            }
        }

        return hasAddresses;
    }
}
