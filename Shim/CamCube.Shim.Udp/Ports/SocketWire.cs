using System.Net;
using System.Net.Sockets;
using CamCube.Shim.Udp.Sealing;
using CamCube.Shim.Udp.Settings;

namespace CamCube.Shim.Udp.Ports;

/// <summary>Any system: a socket of .NET that never waits, a call per datagram.</summary>
internal sealed class SocketWire : UdpWire
{
    private const int RingDatagrams = 64;
    private const int LongestMessage = 65_536;
    private const int LevelIPv6 = 41;
    private const int NeverFragment6OnWindows = 14;

    // Windows tells a UDP socket that nobody listens at the other end as if a connection had ended: not asked for.
    private const int ConnectionResets = -1_744_830_452;

    private static readonly int Stride = (FrameSizes.LongestDatagram + 63) & ~63;
    private readonly UdpOptions _options;
    private readonly int _port;
    private readonly byte[] _sending = GC.AllocateUninitializedArray<byte>(RingDatagrams * Stride, pinned: true);
    private readonly int[] _lengths = new int[RingDatagrams];
    private readonly byte[] _received = GC.AllocateUninitializedArray<byte>(LongestMessage, pinned: true);
    private int _head;
    private int _tail;
    private int _receivedLength;
    private bool _hasReceived;
    private bool _hasConnected;
    private Socket? _socket;

    /// <summary>At a local port.</summary>
    /// <exception cref="LinkProviderException">It cannot be opened; the message is one line for people.</exception>
    public SocketWire(UdpOptions options, int port)
    {
        (_options, _port) = (options, port);
        try
        {
            _socket = Open(options, port);
        }
        catch (SocketException e)
        {
            throw new LinkProviderException(
                e.SocketErrorCode switch
                {
                    SocketError.AddressAlreadyInUse =>
                        $"UDP port {port} is taken (setting CamCube:Udp:BasePort; a server takes one port per link "
                            + $"from there on).",
                    SocketError.AddressNotAvailable =>
                        $"CamCube:Udp:BindAddress = '{options.BindAddress}': this machine has no such address.",
                    _ => $"UDP port {port} cannot be opened: {e.Message}.",
                }
            );
        }

        (TakesIPv6, TakesIPv4) = (
            _socket.AddressFamily == AddressFamily.InterNetworkV6,
            _socket.AddressFamily == AddressFamily.InterNetwork || _socket.DualMode
        );
    }

    /// <summary>To be waited for; another one after <see cref="Connect"/>, and null if it could not be had.</summary>
    public Socket? Socket => _socket;

    /// <inheritdoc/>
    public override bool TakesIPv6 { get; }

    /// <inheritdoc/>
    public override bool TakesIPv4 { get; }

    /// <inheritdoc/>
    public override int Count => _tail - _head;

    /// <inheritdoc/>
    public override int Free => RingDatagrams - Count;

    /// <inheritdoc/>
    public override Span<byte> Writable => Slot(_tail)[..FrameSizes.LongestDatagram];

    /// <inheritdoc/>
    public override bool HasMore => _hasReceived;

    /// <inheritdoc/>
    public override void Commit(int length) => _lengths[_tail++ % RingDatagrams] = length;

    /// <inheritdoc/>
    public override void Release(int count) => _head += count;

    /// <inheritdoc/>
    public override void Rewind()
    {
        if (_head == _tail)
        {
            _head = _tail = 0;
        }
    }

    /// <inheritdoc/>
    public override int Send(out WireFault fault)
    {
        int sent = 0;
        fault = WireFault.None;
        while (_head != _tail)
        {
            fault = SendNow(Slot(_head)[.._lengths[_head % RingDatagrams]]);
            if (fault != WireFault.None)
            {
                // Why the next one was not taken is asked again when it is its turn.
                fault = sent > 0 ? WireFault.None : fault;
                break;
            }

            _head++;
            sent++;
        }

        return sent;
    }

    /// <inheritdoc/>
    public override WireFault SendNow(ReadOnlySpan<byte> datagram)
    {
        if (_socket is not { } socket)
        {
            return WireFault.Lost;
        }

        socket.Send(datagram, SocketFlags.None, out SocketError error);
        return FaultOf(error);
    }

    /// <inheritdoc/>
    public override bool Receive(out WireFault fault)
    {
        if (_socket is not { } socket)
        {
            fault = WireFault.Again;
            return false;
        }

        _receivedLength = socket.Receive(_received, SocketFlags.None, out SocketError error);
        fault = FaultOf(error);
        _hasReceived = fault == WireFault.None;
        return _hasReceived;
    }

    /// <inheritdoc/>
    public override bool TryNext(out Span<byte> datagram)
    {
        bool hasOne = _hasReceived;
        datagram = hasOne ? _received.AsSpan(0, _receivedLength) : default;
        _hasReceived = false;
        return hasOne;
    }

    /// <inheritdoc/>
    public override uint TakeDrops() => 0;

    /// <inheritdoc/>
    public override string? Connect(IPEndPoint neighbour)
    {
        try
        {
            if (_hasConnected)
            {
                // A socket of .NET that has met an error does not connect again.
                _socket?.Dispose();
                _socket = null;
            }

            _hasConnected = true;
            _socket ??= Open(_options, _port);
            _socket.Connect(
                TakesIPv6 && neighbour.AddressFamily == AddressFamily.InterNetwork
                    ? new IPEndPoint(neighbour.Address.MapToIPv6(), neighbour.Port)
                    : neighbour
            );
            return null;
        }
        catch (SocketException e)
        {
            return e.Message;
        }
    }

    /// <inheritdoc/>
    public override void Dispose() => _socket?.Dispose();

    private static Socket Open(UdpOptions options, int port)
    {
        IPAddress? address = options.BindAddress;
        bool six = address is null ? Socket.OSSupportsIPv6 : address.AddressFamily == AddressFamily.InterNetworkV6;
        Socket socket = new(
            six ? AddressFamily.InterNetworkV6 : AddressFamily.InterNetwork,
            SocketType.Dgram,
            ProtocolType.Udp
        );
        try
        {
            if (six)
            {
                socket.DualMode = address is null || address.Equals(IPAddress.IPv6Any);
            }

            socket.ExclusiveAddressUse = true;
            socket.Blocking = false;
            socket.Bind(new IPEndPoint(address ?? (six ? IPAddress.IPv6Any : IPAddress.Any), port));

            // As with batches: nobody cuts datagrams into pieces. Not every system can be told so of both versions.
            Try(() => socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.DontFragment, true));
            if (OperatingSystem.IsWindows())
            {
                Try(() => socket.SetRawSocketOption(LevelIPv6, NeverFragment6OnWindows, BitConverter.GetBytes(1)));
                Try(() => socket.IOControl(ConnectionResets, BitConverter.GetBytes(0), null));
            }

            Try(() => socket.ReceiveBufferSize = options.SocketBuffer);
            Try(() => socket.SendBufferSize = options.SocketBuffer);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static void Try(Action set)
    {
        try
        {
            set();
        }
        catch (SocketException)
        {
            // It works without.
        }
    }

    private static WireFault FaultOf(SocketError error) =>
        error switch
        {
            SocketError.Success => WireFault.None,
            SocketError.WouldBlock or SocketError.IOPending => WireFault.Again,
            SocketError.MessageSize => WireFault.TooLong,
            SocketError.ConnectionRefused
            or SocketError.ConnectionReset
            or SocketError.NetworkReset
            or SocketError.Interrupted => WireFault.Earlier,
            _ => WireFault.Lost,
        };

    private Span<byte> Slot(int index) => _sending.AsSpan(index % RingDatagrams * Stride, Stride);
}
