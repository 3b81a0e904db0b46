using System.Net;
using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Shim.Udp.Sealing;
using CamCube.Shim.Udp.Settings;

namespace CamCube.Shim.Udp.Ports;

/// <summary>Linux: batches in both directions, in which datagrams of one length pass through the kernel
/// together.</summary>
[SupportedOSPlatform("linux")]
internal sealed class BatchedWire : UdpWire
{
    private const int RingDatagrams = 64;
    private const int ReceiveMessages = 16;
    private readonly UdpSocket _socket;
    private readonly SegmentRing _ring = new(RingDatagrams, FrameSizes.LongestDatagram);
    private readonly SegmentBuffer _received = new(ReceiveMessages);
    private GrowingCount _drops;

    /// <summary>At a local port.</summary>
    /// <exception cref="LinkProviderException">It cannot be opened; the message is one line for people.</exception>
    public BatchedWire(UdpOptions options, int port)
    {
        _socket = UdpSocket.Open(options.BindAddress, port, options.SocketBuffer);
        _ring.Joins = options.Joins;
        if (options.Joins)
        {
            SegmentBuffer.Join(_socket.Handle);
        }
    }

    /// <summary>For the poller.</summary>
    public DescriptorHandle Handle => _socket.Handle;

    /// <inheritdoc/>
    public override bool TakesIPv6 => _socket.TakesIPv6;

    /// <inheritdoc/>
    public override bool TakesIPv4 => _socket.TakesIPv4;

    /// <inheritdoc/>
    public override int Count => _ring.Count;

    /// <inheritdoc/>
    public override int Free => _ring.Free;

    /// <inheritdoc/>
    public override Span<byte> Writable => _ring.Writable;

    /// <inheritdoc/>
    public override bool HasMore => _received.HasMore;

    /// <inheritdoc/>
    public override void Commit(int length) => _ring.Commit(length);

    /// <inheritdoc/>
    public override void Release(int count) => _ring.Release(count);

    /// <inheritdoc/>
    public override void Rewind() => _ring.Rewind();

    /// <inheritdoc/>
    public override int Send(out WireFault fault)
    {
        int sent = _ring.Send(Handle, out int error);
        fault = FaultOf(error);
        return sent;
    }

    /// <inheritdoc/>
    public override WireFault SendNow(ReadOnlySpan<byte> datagram) => FaultOf(NativeSocket.Send(Handle, datagram));

    /// <inheritdoc/>
    public override bool Receive(out WireFault fault)
    {
        bool mayHaveMore = _received.Receive(Handle, out int error);
        fault = FaultOf(error);
        return mayHaveMore;
    }

    /// <inheritdoc/>
    public override bool TryNext(out Span<byte> datagram) => _received.TryNext(out datagram);

    /// <inheritdoc/>
    public override uint TakeDrops() => _drops.Take(NativeSocket.Drops(Handle));

    /// <inheritdoc/>
    public override string? Connect(IPEndPoint neighbour) =>
        _socket.Connect(neighbour) is not 0 and var error ? SystemError.Text(error) : null;

    /// <inheritdoc/>
    public override int PathMtu(IPEndPoint neighbour) => _socket.PathMtu(neighbour);

    /// <inheritdoc/>
    public override void Dispose()
    {
        _socket.Dispose();
        _ring.Dispose();
        _received.Dispose();
    }

    private static WireFault FaultOf(int error) =>
        error switch
        {
            0 => WireFault.None,
            SystemError.Again => WireFault.Again,
            SystemError.MessageTooLong => WireFault.TooLong,
            SystemError.ConnectionRefused or SystemError.Interrupted => WireFault.Earlier,
            _ => WireFault.Lost,
        };
}
