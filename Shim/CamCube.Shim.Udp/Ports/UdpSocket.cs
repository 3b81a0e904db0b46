using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Shim.Udp.Ports;

/// <summary>
/// The socket of one neighbour: bound to a port of its own and connected, so that the kernel throws away what comes
/// from other addresses and looks for the route once. IPv6 sockets speak IPv4 too unless they are bound to an IPv6
/// address. Loop only.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class UdpSocket : IDisposable
{
    private const int DatagramType = 2;
    private const int Internet4 = 2;
    private const int Internet6 = 10;
    private const int LevelIP = 0;
    private const int LevelIPv6 = 41;
    private const int DiscoverMtu4 = 10;
    private const int Mtu4 = 14;
    private const int DiscoverMtu6 = 23;
    private const int Mtu6 = 24;
    private const int OnlyIPv6 = 26;
    private const int NeverFragment = 3;
    private const int AddressFamilyNotSupported = 97;
    private const int AddressInUse = 98;
    private const int AddressNotAvailable = 99;

    private UdpSocket(DescriptorHandle handle, bool takesIPv6, bool takesIPv4) =>
        (Handle, TakesIPv6, TakesIPv4) = (handle, takesIPv6, takesIPv4);

    /// <summary>The socket itself.</summary>
    public DescriptorHandle Handle { get; }

    /// <summary>Whether it can be connected to IPv6 addresses.</summary>
    public bool TakesIPv6 { get; }

    /// <summary>Whether it can be connected to IPv4 addresses.</summary>
    public bool TakesIPv4 { get; }

    /// <summary>A socket at a local port.</summary>
    /// <param name="address">Local address; null: all of IPv4 and, where the system has it, IPv6.</param>
    /// <param name="port">Local port.</param>
    /// <param name="bufferBytes">Wanted size of the kernel's buffers, each way.</param>
    /// <exception cref="LinkProviderException">It cannot be opened; the message is one line for people.</exception>
    public static UdpSocket Open(IPAddress? address, int port, int bufferBytes)
    {
        bool six = address is null || address.AddressFamily == AddressFamily.InterNetworkV6;
        int error = NativeSocket.Open(six ? Internet6 : Internet4, DatagramType, 0, out DescriptorHandle handle);
        if (error == AddressFamilyNotSupported && address is null)
        {
            six = false;
            error = NativeSocket.Open(Internet4, DatagramType, 0, out handle);
        }

        if (error != 0)
        {
            throw new LinkProviderException($"UDP port {port} cannot be opened: {SystemError.Text(error)}.");
        }

        bool both = six && (address is null || address.Equals(IPAddress.IPv6Any));
        if (six)
        {
            both &= NativeSocket.Set(handle, LevelIPv6, OnlyIPv6, both ? 0 : 1) == 0;
        }

        error = NativeSocket.Bind(
            handle,
            BytesOf(new IPEndPoint(address ?? (six ? IPAddress.IPv6Any : IPAddress.Any), port))
        );
        if (error != 0)
        {
            handle.Dispose();
            throw new LinkProviderException(
                error switch
                {
                    AddressInUse =>
                        $"UDP port {port} is taken (setting CamCube:Udp:BasePort; a server takes one port per link "
                            + $"from there on).",
                    AddressNotAvailable => $"CamCube:Udp:BindAddress = '{address}': this machine has no such address.",
                    _ => $"UDP port {port} cannot be opened: {SystemError.Text(error)}.",
                }
            );
        }

        // Neither end nor routers cut datagrams into pieces: one lost piece loses all, and pieces can be forged. And of
        // the length only the interface decides (IP_PMTUDISC_PROBE): what routers say of it can be forged too.
        NativeSocket.Set(handle, LevelIP, DiscoverMtu4, NeverFragment);
        if (six)
        {
            NativeSocket.Set(handle, LevelIPv6, DiscoverMtu6, NeverFragment);
        }

        NativeSocket.SetReceiveBuffer(handle, bufferBytes);
        NativeSocket.Set(handle, NativeSocket.SocketLevel, NativeSocket.SendBuffer, bufferBytes);
        return new UdpSocket(handle, six, !six || both);
    }

    /// <summary>From now on it talks with this address only. Returns an error number, 0 for success.</summary>
    public int Connect(IPEndPoint neighbour) =>
        NativeSocket.Connect(
            Handle,
            BytesOf(
                TakesIPv6 && neighbour.AddressFamily == AddressFamily.InterNetwork
                    ? new IPEndPoint(neighbour.Address.MapToIPv6(), neighbour.Port)
                    : neighbour
            )
        );

    /// <summary>The largest IP packet that the way to the neighbour carries, as routers say: true or not, so for people
    /// only; 0: not known.
    /// </summary>
    public int PathMtu(IPEndPoint neighbour)
    {
        bool six = neighbour.AddressFamily == AddressFamily.InterNetworkV6;
        Span<byte> bytes = stackalloc byte[sizeof(int)];
        return
            NativeSocket.Get(Handle, six ? LevelIPv6 : LevelIP, six ? Mtu6 : Mtu4, ref bytes) == 0
            && bytes.Length == sizeof(int)
            ? BitConverter.ToInt32(bytes)
            : 0;
    }

    /// <inheritdoc/>
    public void Dispose() => Handle.Dispose();

    private static ReadOnlySpan<byte> BytesOf(IPEndPoint endpoint)
    {
        SocketAddress address = endpoint.Serialize();
        return address.Buffer.Span[..address.Size];
    }
}
