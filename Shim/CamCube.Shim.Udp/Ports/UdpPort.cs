using System.Buffers.Binary;
using CamCube.Cables;
using CamCube.Shim.Udp.Endpoints;
using CamCube.Shim.Udp.Sealing;
using CamCube.Shim.Udp.Settings;

namespace CamCube.Shim.Udp.Ports;

/// <summary>
/// One neighbour: its datagrams, what waits to be sent to it, the channel that seals and opens, what is known of its
/// address. Loop only.
/// </summary>
internal sealed class UdpPort : IDisposable
{
    private const long ReconnectNanos = 1_000_000_000;
    private const long DropsLookNanos = 100_000_000;

    private readonly UdpWire _wire;
    private readonly SecureChannel _channel;
    private readonly EndpointWatch _watch;
    private readonly FrameJoiner _joiner = new(FrameSizes.LongestFrame);
    private readonly PortNews _news;
    private readonly long _silenceNanos;
    private readonly byte[] _message = new byte[FrameFormat.HandshakeLength];
    private readonly byte[] _rest = new byte[FrameSizes.LeastFrame];
    private readonly PathProbe _path;
    private readonly byte[] _probe;
    private readonly int _fullMtu;
    private int _mtu;
    private bool _isConnected;
    private bool _hasChanged = true;
    private bool _wasFull;
    private long _reconnectAt;
    private long _sessions;
    private long _dropsLookAt;
    private bool _hasReceived;
    private int _lostWithoutKeys;
    private int _lostTooLarge;

    /// <summary>A port that knows nothing of its neighbour yet.</summary>
    /// <param name="port">What it is called above.</param>
    /// <param name="options">The settings.</param>
    /// <param name="neighbour">Where the neighbour is said to be.</param>
    /// <param name="environment">Names, randomness, people.</param>
    /// <param name="wire">Its datagrams; closed with the port.</param>
    public UdpPort(CablePort port, UdpOptions options, HostPort neighbour, PortEnvironment environment, UdpWire wire)
    {
        Port = port;
        Link link = port.Link!.Value;
        (_fullMtu, _mtu, _silenceNanos) = (options.Mtu, options.Mtu, options.Channel.SilenceNanos);
        _path = new PathProbe(_silenceNanos / 3);
        _probe = new byte[FrameSizes.InOneDatagram(_fullMtu) + FrameFormat.Overhead];
        _wire = wire;
        _channel = new SecureChannel(options.Key, link, environment.Random, options.Channel, 0);
        _watch = new EndpointWatch(neighbour, environment.Resolve, environment.Wake, wire.TakesIPv6, wire.TakesIPv4);
        _news = new PortNews(link, environment.News);
    }

    /// <summary>What it is called above.</summary>
    public CablePort Port { get; }

    /// <summary>Whether the kernel takes nothing more until the socket is writable.</summary>
    public bool IsBlocked { get; private set; }

    /// <summary>Whether datagrams were received that nobody has looked at.</summary>
    public bool HasMore => _wire.HasMore;

    /// <summary>Frames that may be sent before the next flush.</summary>
    public int Room
    {
        get
        {
            int frames = Splits ? _wire.Free / 2 : _wire.Free;
            _wasFull |= frames <= 1;
            return frames;
        }
    }

    /// <summary>Largest frame, with Ethernet header.</summary>
    public int MaxFrameLength => FrameSizes.MaxFrameLength(_mtu);

    /// <summary>Where the next frame is written.</summary>
    public Span<byte> Frame => _wire.Writable.Slice(FrameFormat.HeaderLength, FrameSizes.LongestFrame);

    /// <summary>When <see cref="Step"/> is wanted at the latest, server time.</summary>
    public long Deadline
    {
        get
        {
            long watch = _watch.Address is null
                ? _watch.Deadline
                : Math.Max(_watch.Deadline, _channel.HeardNanos + _silenceNanos);
            return Math.Min(
                watch,
                _isConnected ? Math.Min(_channel.Deadline, PathDeadline)
                    : _watch.Address is null ? long.MaxValue
                    : _reconnectAt
            );
        }
    }

    private long PathDeadline => _channel.IsReady && _fullMtu > FrameSizes.LeastMtu ? _path.Deadline : long.MaxValue;

    private bool Splits => FrameSizes.InOneDatagram(_mtu) < FrameSizes.LeastFrame;

    /// <summary>Seals the frame that was written and puts it behind those that wait.</summary>
    public void Send(int length)
    {
        if (length > FrameSizes.Longest(_mtu))
        {
            _lostTooLarge++;
            return;
        }

        if (!_isConnected || !_channel.IsReady)
        {
            _lostWithoutKeys++;
            return;
        }

        if (length <= FrameSizes.InOneDatagram(_mtu))
        {
            Commit(_channel.Seal(_wire.Writable, length));
            return;
        }

        // The tag of the first part goes where the second part was written.
        int first = (length + 1) / 2;
        Frame[first..length].CopyTo(_rest);
        Commit(_channel.Seal(_wire.Writable, first, FramePart.First));
        _rest.AsSpan(0, length - first).CopyTo(Frame);
        Commit(_channel.Seal(_wire.Writable, length - first, FramePart.Second));
    }

    /// <summary>Hands what waits to the kernel, messages of the channel first.</summary>
    public void Flush(ICablePortEvents events, long now)
    {
        SendMessages(now);
        if (_wire.Count > 0)
        {
            SendFrames(events, now);
            _wire.Rewind();
        }

        Lost(events, ref _lostWithoutKeys, DropReason.LinkDown);
        Lost(events, ref _lostTooLarge, DropReason.TooLarge);
        if (_wasFull && Room > 1)
        {
            _wasFull = false;
            events.RoomAgain(Port.Number, now);
        }
    }

    /// <summary>Takes datagrams from the socket and gives what is genuine to the events; at most so many. Returns how
    /// many those were, genuine or not.</summary>
    public int Receive(ICablePortEvents events, int budget, long now)
    {
        int taken = 0,
            attempts = 0;
        bool mayHaveMore = true;
        while (taken < budget)
        {
            // The buffer has gone on before anybody above is called.
            if (_wire.TryNext(out Span<byte> datagram))
            {
                taken++;
                Arrived(datagram, events, now);
                continue;
            }

            if (!mayHaveMore)
            {
                break;
            }

            mayHaveMore = _wire.Receive(out WireFault fault);

            // Other faults are what an earlier datagram met at the other end; the next call gives what has arrived.
            if (fault != WireFault.None)
            {
                mayHaveMore = fault != WireFault.Again && attempts++ < 3;
            }
        }

        _hasReceived |= taken > 0;
        return taken;
    }

    /// <summary>Does what time asks for: addresses, handshakes.</summary>
    public void Step(ICablePortEvents events, long now)
    {
        if (_hasChanged)
        {
            _hasChanged = false;
            events.PortChanged(Port.Number, true, MaxFrameLength, now);
        }

        bool hasMoved = _watch.Step(now >= _channel.HeardNanos + _silenceNanos, now);
        if (_watch.Fault is { } fault)
        {
            if (!_news.HasTold(PortFault.NoAddress))
            {
                _news.Fault(PortFault.NoAddress, $"the name {_watch.Endpoint.Host} {fault}");
            }
        }
        else if (_watch.Address is not null && _news.HasTold(PortFault.NoAddress))
        {
            _news.Mended(
                PortFault.NoAddress,
                $"the name {_watch.Endpoint.Host} has the address {_watch.Address.Address}"
            );
        }

        if (_watch.Address is not null && (hasMoved || (!_isConnected && _reconnectAt <= now)))
        {
            Connect(now);
        }

        SendMessages(now);
        MeasurePath(events, now);
        CountDrops(events, now);
    }

    /// <summary>The socket is writable again.</summary>
    public void Unblock() => IsBlocked = false;

    /// <inheritdoc/>
    public void Dispose()
    {
        _wire.Dispose();
        _channel.Dispose();
    }

    private void Arrived(Span<byte> datagram, ICablePortEvents events, long now)
    {
        OpenResult result = _channel.Open(datagram, now);
        if (result == OpenResult.Frame)
        {
            FramePart part = FrameFormat.PartOf(datagram);
            if (part == FramePart.Whole)
            {
                events.FrameArrived(Port.Number, datagram[FrameFormat.HeaderLength..^FrameFormat.TagLength], now);
            }
            else if (part <= FramePart.Second)
            {
                if (_joiner.TryJoin(datagram, out ReadOnlySpan<byte> frame))
                {
                    events.FrameArrived(Port.Number, frame, now);
                }
            }
            else if (datagram.Length >= FrameFormat.Overhead + sizeof(ulong))
            {
                ulong number = BinaryPrimitives.ReadUInt64LittleEndian(datagram[FrameFormat.HeaderLength..]);
                if (part == FramePart.Probe)
                {
                    SendProbe(FramePart.Answer, number, sizeof(ulong));
                }
                else if (part == FramePart.Answer)
                {
                    _path.Answered(number);
                }
            }
        }
        else if (result != OpenResult.Taken)
        {
            events.FrameDropped(Port.Number, DropReason.Unauthenticated);
            Report(result, now);
        }
        else if (_channel.Sessions != _sessions)
        {
            _sessions = _channel.Sessions;
            _news.Mended(
                PortFault.OtherKey | PortFault.OtherVersion | PortFault.OtherLink | PortFault.NoWay,
                $"{_watch.Endpoint} answers and has this cluster's key"
            );
        }
    }

    /// <summary>Tells what did not fit into the kernel's buffer: a call per tenth of a second in which something
    /// came.</summary>
    private void CountDrops(ICablePortEvents events, long now)
    {
        if (!_hasReceived || now < _dropsLookAt)
        {
            return;
        }

        (_hasReceived, _dropsLookAt) = (false, now + DropsLookNanos);
        for (uint drops = _wire.TakeDrops(); drops > 0; drops--)
        {
            events.FrameDropped(Port.Number, DropReason.ReceiveFull);
        }
    }

    private void Commit(int length)
    {
        if (length > 0)
        {
            _wire.Commit(length);
        }
        else
        {
            _lostWithoutKeys++;
        }
    }

    private void Lost(ICablePortEvents events, ref int count, DropReason reason)
    {
        for (; count > 0; count--)
        {
            events.FrameDropped(Port.Number, reason);
        }
    }

    private void SendMessages(long now)
    {
        if (!_isConnected || _channel.Deadline > now)
        {
            return;
        }

        for (int length; (length = _channel.TryTakeMessage(_message, now)) > 0; )
        {
            // What the kernel does not take now is as good as lost on the way: the channel asks again.
            _wire.SendNow(_message.AsSpan(0, length));
        }
    }

    private void SendFrames(ICablePortEvents events, long now)
    {
        int attempts = 0;
        while (_wire.Count > 0)
        {
            if (_wire.Send(out WireFault fault) > 0)
            {
                continue;
            }

            switch (fault)
            {
                case WireFault.Again:
                    IsBlocked = true;
                    return;
                case WireFault.Earlier or WireFault.TooLong when attempts++ < 3:
                    // What an earlier datagram met, or what somebody says of one; this one was not looked at.
                    break;
                case WireFault.TooLong:
                    // The interface takes no longer ones.
                    _wire.Release(1);
                    _lostTooLarge++;
                    break;
                default:
                    // No route, no interface, no buffer: as on a cut cable.
                    _wire.Release(1);
                    _lostWithoutKeys++;
                    break;
            }
        }
    }

    /// <summary>Asks whether datagrams of full size arrive, and goes by the answers.</summary>
    private void MeasurePath(ICablePortEvents events, long now)
    {
        if (_isConnected && PathDeadline <= now)
        {
            ulong number = _path.Begin(now);
            SendProbe(FramePart.Probe, number, sizeof(ulong));
            SendProbe(FramePart.Probe, number + 1, _probe.Length - FrameFormat.Overhead);
        }

        int mtu = _path.IsWide ? _fullMtu : FrameSizes.LeastMtu;
        if (mtu == _mtu)
        {
            return;
        }

        _mtu = mtu;
        string size = $"packets of {_fullMtu} bytes (CamCube:Udp:Mtu)";
        if (_path.IsWide)
        {
            _news.Mended(PortFault.Narrow, $"{size} reach {_watch.Endpoint} again");
        }
        else
        {
            int said = _wire.PathMtu(_watch.Address!);
            _news.Fault(
                PortFault.Narrow,
                $"{size} do not reach {_watch.Endpoint}, short ones do"
                    + (said > 0 && said < _fullMtu ? $"; routers say {said}" : "")
            );
        }

        events.PortChanged(Port.Number, true, MaxFrameLength, now);
    }

    private void SendProbe(FramePart part, ulong number, int length)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(_probe.AsSpan(FrameFormat.HeaderLength), number);
        int sealedLength = _channel.Seal(_probe, length, part);
        int attempts = 0;
        while (
            sealedLength > 0
            && attempts++ < 4
            && _wire.SendNow(_probe.AsSpan(0, sealedLength)) is WireFault.Earlier or WireFault.TooLong
        )
        {
            // What an earlier datagram met; this one was not looked at.
        }
    }

    private void Connect(long now)
    {
        string? fault = _wire.Connect(_watch.Address!);
        _isConnected = fault is null;
        _reconnectAt = now + ReconnectNanos;
        if (fault is not null)
        {
            _news.Fault(PortFault.NoWay, $"{_watch.Endpoint} cannot be reached: {fault}");
            return;
        }

        _channel.Retry(now);
    }

    private void Report(OpenResult result, long now)
    {
        // Anybody can send bytes that look like another key. While the neighbour itself is heard, nobody needs to know.
        if (_channel.Sessions > 0 && now < _channel.HeardNanos + _silenceNanos)
        {
            return;
        }

        switch (result)
        {
            case OpenResult.OtherKey:
                _news.Fault(PortFault.OtherKey, $"{_watch.Endpoint} does not have this cluster's key");
                break;
            case OpenResult.OtherVersion:
                _news.Fault(
                    PortFault.OtherVersion,
                    $"{_watch.Endpoint} speaks another version of the protocol; this server speaks version "
                        + $"{FrameFormat.Version}"
                );
                break;
            case OpenResult.OtherLink:
                string expected = Port.Link!.Value.Opposite().Name();
                _news.Fault(
                    PortFault.OtherLink,
                    $"{_watch.Endpoint} is the {_channel.PeerLink.Name()} port of its server, expected {expected}"
                );
                break;
        }
    }
}
