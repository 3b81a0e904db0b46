using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>Sets up network interfaces (rtnetlink), in the network namespace of the thread that opened it. Every call
/// is done when it returns. One thread at a time.</summary>
[SupportedOSPlatform("linux")]
public sealed class RouteSocket : IDisposable
{
    private const int NetlinkFamily = 16,
        Raw = 3;
    private const ushort Error = 2,
        NewLink = 16,
        NewAddress = 20,
        NewRoute = 24;
    private const ushort Request = 1,
        Acknowledge = 4,
        Create = 0x400,
        Replace = 0x100,
        Exclusive = 0x200;
    private const ushort LinkAddress = 1,
        LinkMtu = 4,
        LinkQueue = 13;
    private const ushort Address = 1,
        LocalAddress = 2,
        AddressFlags = 8;
    private const ushort RouteInterface = 4,
        RouteBy = 5,
        RouteMetric = 6;
    private const byte MainTable = 254,
        StaticRoute = 4,
        Unicast = 1;
    private const uint WithoutDetection = 2;
    private const uint Up = 1;
    private const int HeadLength = 16;
    private readonly DescriptorHandle _socket;
    private readonly byte[] _message = new byte[512];
    private readonly byte[] _answer = new byte[4_096];
    private int _length;

    /// <summary>Opens one.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    public RouteSocket()
    {
        int error = NativeSocket.Open(NetlinkFamily, Raw, 0, out _socket);
        if (error != 0)
        {
            throw SystemError.Failure("netlink", error);
        }
    }

    /// <summary>The number of an interface in the namespace of the calling thread; 0: there is none.</summary>
    public static uint IndexOf(string name) => LinuxCalls.IndexOfInterface(name);

    /// <summary>Gives an interface its Ethernet address, while it is down.</summary>
    /// <returns>0, or the error number, as for the other calls.</returns>
    public int SetEthernet(uint index, ReadOnlySpan<byte> ethernet)
    {
        BeginLink(index, 0, 0);
        Add(LinkAddress, ethernet);
        return Ask();
    }

    /// <summary>Sets what it carries and how much waits for it.</summary>
    /// <param name="index">The interface.</param>
    /// <param name="mtu">Bytes of a packet without its Ethernet header.</param>
    /// <param name="queue">Packets that wait.</param>
    public int SetLengths(uint index, int mtu, int queue)
    {
        BeginLink(index, 0, 0);
        Add(LinkMtu, mtu);
        Add(LinkQueue, queue);
        return Ask();
    }

    /// <summary>Sets it up.</summary>
    public int SetUp(uint index)
    {
        BeginLink(index, Up, Up);
        return Ask();
    }

    /// <summary>Gives it an address, which nobody else is asked about first.</summary>
    /// <param name="index">The interface.</param>
    /// <param name="address">IPv4 or IPv6.</param>
    /// <param name="prefixLength">Bits of the network that is reached through it.</param>
    public int AddAddress(uint index, IPAddress address, int prefixLength)
    {
        ArgumentNullException.ThrowIfNull(address);
        Begin(NewAddress, Request | Acknowledge | Create | Replace);
        Span<byte> head = Take(8);
        head[0] = (byte)(address.AddressFamily == AddressFamily.InterNetwork ? 2 : 10);
        head[1] = (byte)prefixLength;
        BinaryPrimitives.WriteUInt32LittleEndian(head[4..], index);
        byte[] bytes = address.GetAddressBytes();
        Add(LocalAddress, bytes);
        Add(Address, bytes);
        Add(AddressFlags, (int)WithoutDetection);
        return Ask();
    }

    /// <summary>Adds a route to all that no other one leads to.</summary>
    /// <param name="index">The interface, which is up.</param>
    /// <param name="by">Address of the machine that passes packets on, reached through it.</param>
    /// <param name="metric">Of several such routes the one with the least is taken.</param>
    public int AddDefaultRoute(uint index, IPAddress by, int metric)
    {
        ArgumentNullException.ThrowIfNull(by);
        Begin(NewRoute, Request | Acknowledge | Create | Exclusive);
        Span<byte> head = Take(12);
        head[0] = (byte)(by.AddressFamily == AddressFamily.InterNetwork ? 2 : 10);
        (head[4], head[5], head[7]) = (MainTable, StaticRoute, Unicast);
        Add(RouteBy, by.GetAddressBytes());
        Add(RouteInterface, (int)index);
        Add(RouteMetric, metric);
        return Ask();
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();

    private void BeginLink(uint index, uint flags, uint change)
    {
        Begin(NewLink, Request | Acknowledge);
        Span<byte> head = Take(16);
        BinaryPrimitives.WriteUInt32LittleEndian(head[4..], index);
        BinaryPrimitives.WriteUInt32LittleEndian(head[8..], flags);
        BinaryPrimitives.WriteUInt32LittleEndian(head[12..], change);
    }

    private void Begin(ushort kind, int flags)
    {
        _length = 0;
        Span<byte> head = Take(HeadLength);
        BinaryPrimitives.WriteUInt16LittleEndian(head[4..], kind);
        BinaryPrimitives.WriteUInt16LittleEndian(head[6..], (ushort)flags);
    }

    private void Add(ushort kind, int value)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, value);
        Add(kind, bytes);
    }

    private void Add(ushort kind, ReadOnlySpan<byte> value)
    {
        Span<byte> attribute = Take(4 + ((value.Length + 3) & ~3));
        BinaryPrimitives.WriteUInt16LittleEndian(attribute, (ushort)(4 + value.Length));
        BinaryPrimitives.WriteUInt16LittleEndian(attribute[2..], kind);
        value.CopyTo(attribute[4..]);
    }

    private Span<byte> Take(int length)
    {
        Span<byte> taken = _message.AsSpan(_length, length);
        taken.Clear();
        _length += length;
        return taken;
    }

    // The kernel does what it is asked within the send, and its answer is there when that returns.
    private int Ask()
    {
        BinaryPrimitives.WriteInt32LittleEndian(_message, _length);
        int error = NativeSocket.Send(_socket, _message.AsSpan(0, _length));
        if (error != 0)
        {
            return error;
        }

        int length = NativeSocket.Receive(_socket, _answer, out error);
        if (length < 0)
        {
            return error;
        }

        return length >= HeadLength + 4 && MemoryMarshal.Read<ushort>(_answer.AsSpan(4)) == Error
            ? -MemoryMarshal.Read<int>(_answer.AsSpan(HeadLength))
            : SystemError.InputOutput;
    }
}
