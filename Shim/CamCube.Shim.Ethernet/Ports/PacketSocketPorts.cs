using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Sockets;

namespace CamCube.Shim.Ethernet;

/// <summary>
/// Linux's packet sockets, one per interface, all in one epoll with the wake-up and the news of interfaces; frames move in batches. The
/// server's loop does everything.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class PacketSocketPorts : EthernetPorts
{
    private readonly EthernetOptions _options;
    private readonly TimeProvider _time;
    private readonly Action<LinkNews> _news;
    private readonly PacketLane[] _lanes;
    private readonly LinuxInterfaces _interfaces;
    private readonly WakeSignal _wake = new();
    private readonly Poller _poller;
    private Action? _othersHappened;
    private int _ready;
    private bool _anyLeft;
    private bool _isDrained;

    private PacketSocketPorts(
        LinuxInterfaces interfaces,
        IReadOnlyList<(CablePort Port, InterfaceInfo Interface)> chosen,
        EthernetOptions options,
        TimeProvider time,
        Action<LinkNews> news)
        : base(chosen, options.MaxFrameLength)
    {
        (_interfaces, _options, _time, _news) = (interfaces, options, time, news);
        _lanes = [.. All.Select(_ => new PacketLane())];
        _poller = new Poller(All.Length + 3);
        _poller.Watch(_wake.Handle, WakeKey, PollEvents.Readable);
        _poller.Watch(_interfaces.Handle, InterfacesKey, PollEvents.Readable);
    }

    private int WakeKey => All.Length;

    private int InterfacesKey => All.Length + 1;

    private int OthersKey => All.Length + 2;

    /// <summary>Opens a socket on every interface.</summary>
    /// <param name="options">Settings.</param>
    /// <param name="links">The links of the cube's shape.</param>
    /// <param name="time">For the time before a sleep.</param>
    /// <param name="news">Takes lines for people.</param>
    /// <exception cref="LinkProviderException">A socket cannot be opened; the message says why.</exception>
    public static PacketSocketPorts Open(EthernetOptions options, LinkSet links, TimeProvider time, Action<LinkNews> news)
    {
        LinuxInterfaces interfaces = LinuxInterfaces.Open(options, links, out var chosen);
        var ports = new PacketSocketPorts(interfaces, chosen, options, time, news);
        ports.OpenAll(ports.Open);
        return ports;
    }

    /// <inheritdoc/>
    public override bool TryWatch(SafeHandle descriptor, Action happened)
    {
        _othersHappened = happened;
        _poller.Watch(descriptor, OthersKey, PollEvents.Readable);
        return true;
    }

    /// <inheritdoc/>
    public override int Receive(ICablePortEvents events, int budget, long now)
    {
        if (_ready == 0 && _isDrained && !_anyLeft)
        {
            // Just looked, and took all there was: if nobody has other work, the sleep looks again, and that is one call less.
            _isDrained = false;
            return 0;
        }

        int ready = _ready != 0 ? _ready : _poller.Wait(0), frames = 0;
        (_ready, _isDrained) = (0, true);
        if (_anyLeft)
        {
            // Somebody's fault ended a batch early.
            _anyLeft = false;
            for (int i = 0; i < All.Length; i++)
            {
                frames += Pass(All[i], _lanes[i], events, now);
            }
        }

        for (int i = 0; i < ready; i++)
        {
            if (!_poller.TryGet(i, out int key, out PollEvents seen))
            {
                continue;
            }

            if (key == WakeKey)
            {
                _wake.Reset();
            }
            else if (key == InterfacesKey)
            {
                LookAtInterfaces(events, now);
            }
            else if (key == OthersKey)
            {
                _othersHappened!();
            }
            else
            {
                EthernetPort port = All[key];
                if ((seen & PollEvents.Writable) != 0)
                {
                    Unblock(port);
                    Offer(port);
                    Tell(port, events, now);
                }

                if ((seen & (PollEvents.Readable | PollEvents.Error)) != 0)
                {
                    frames += Receive(port, _lanes[key], events, budget, now);
                }
            }
        }

        for (int i = 0; frames == 0 && i < All.Length; i++)
        {
            if (_lanes[i].MayHaveDropped)
            {
                CountDrops(All[i], _lanes[i], events, wasFull: false);
            }
        }

        return frames;
    }

    /// <inheritdoc/>
    public override void Wait(long nowNanos, long deadlineNanos)
    {
        long limit = Math.Min(deadlineNanos, NextRetry());
        if (_options.SpinNanos > 0 && limit > nowNanos)
        {
            long start = _time.GetTimestamp(), end = Math.Min(limit - nowNanos, _options.SpinNanos);
            do
            {
                _ready = _poller.Wait(0);
            }
            while (_ready == 0 && _time.GetElapsedTime(start).Ticks * 100 < end);
            if (_ready != 0)
            {
                return;
            }

            nowNanos += end;
        }

        _ready = _poller.Wait(limit == long.MaxValue ? limit : limit - nowNanos);
    }

    /// <inheritdoc/>
    public override void Wake() => _wake.Set();

    /// <inheritdoc/>
    protected override void Offer(EthernetPort port)
    {
        PacketLane lane = _lanes[port.Port.Number];
        while (port.Sending.Count > 0)
        {
            if (port.Sending.Send(lane.Socket!, out int error) > 0)
            {
                continue;
            }

            switch (error)
            {
                case SystemError.Interrupted:
                    break;
                case SystemError.Again:
                    // The socket's buffer is full; it says when half of it is free.
                    (port.IsBlocked, port.RetryAt) = (true, long.MaxValue);
                    _poller.Change(lane.Socket!, port.Port.Number, PollEvents.Readable | PollEvents.Writable);
                    lane.WantsRoom = true;
                    return;
                case SystemError.NoBuffers:
                    // A queue behind the socket is full. The frame is still here, but nobody says when there is room.
                    (port.IsBlocked, port.RetryAt) = (true, 0);
                    return;
                case SystemError.MessageTooLong:
                    port.TooLarge++;
                    port.Sending.Release(1);
                    break;
                case SystemError.NetworkDown or SystemError.NoSuchDevice or SystemError.NoDevice:
                    port.LoseAll();
                    return;
                default:
                    port.Refused++;
                    port.Sending.Release(1);
                    break;
            }
        }

        port.Sending.Rewind();
    }

    /// <inheritdoc/>
    protected override void Unblock(EthernetPort port)
    {
        base.Unblock(port);
        PacketLane lane = _lanes[port.Port.Number];
        if (lane.WantsRoom)
        {
            lane.WantsRoom = false;
            _poller.Change(lane.Socket!, port.Port.Number, PollEvents.Readable);
        }
    }

    /// <inheritdoc/>
    protected override void Abandon(EthernetPort port)
    {
        PacketLane lane = _lanes[port.Port.Number];
        if (lane.Socket is { } socket)
        {
            _poller.Forget(socket, port.Port.Number);
            socket.Dispose();
            (lane.Socket, lane.WantsRoom) = (null, false);
        }
    }

    /// <inheritdoc/>
    protected override bool Reopen(EthernetPort port, InterfaceInfo found)
    {
        if (Open(port, found.Index) is not { } fault)
        {
            return true;
        }

        _news(new LinkNews(true, fault));
        return false;
    }

    /// <inheritdoc/>
    protected override void CloseAll()
    {
        foreach (PacketLane lane in _lanes)
        {
            lane.Socket?.Dispose();
            lane.Receiving.Dispose();
        }

        _poller.Dispose();
        _interfaces.Dispose();
        _wake.Dispose();
    }

    private string? Open(EthernetPort port, int index)
    {
        int error = PacketSocket.Open(index, PacketSocket.SendBufferOf(_options, port.LongestFrame), _options.ReceiveBuffer, out DescriptorHandle socket);
        if (error != 0)
        {
            return PacketSocket.Explain(port.Port.Name, error);
        }

        PacketLane lane = _lanes[port.Port.Number];
        lane.Socket = socket;
        _poller.Watch(socket, port.Port.Number, PollEvents.Readable);
        return null;
    }

    private void LookAtInterfaces(ICablePortEvents events, long now)
    {
        if (_interfaces.HasChanged(i => Array.Exists(All, p => p.Index == i.Index || p.Port.Name == i.Name)))
        {
            Compare(_interfaces.List(), events, now);
        }
    }

    private int Receive(EthernetPort port, PacketLane lane, ICablePortEvents events, int budget, long now)
    {
        int frames = 0;
        while (frames < budget && lane.Socket is { } socket)
        {
            int most = Math.Min(budget - frames, EthernetPort.Frames);
            int got = lane.Receiving.Receive(socket, most, out int error);
            if (got == 0)
            {
                if (error == SystemError.Interrupted)
                {
                    continue;
                }

                // Nothing there, or an error that is told once, as the interface goes down: netlink says more.
                break;
            }

            frames += Pass(port, lane, events, now);
            if (got < most)
            {
                break;
            }
        }

        _isDrained &= frames < budget;
        CountDrops(port, lane, events, frames >= budget);
        return frames;
    }

    /// <summary>Gives away what is in the receive ring.</summary>
    private int Pass(EthernetPort port, PacketLane lane, ICablePortEvents events, long now)
    {
        // If a frame makes somebody throw, it is gone and those behind it are passed on next time.
        int frames = 0;
        _anyLeft = true;
        for (; lane.Receiving.Count > 0; frames++)
        {
            ReadOnlySpan<byte> frame = lane.Receiving.Readable(0, out bool wasCut);
            lane.Receiving.Release(1);
            Deliver(port, frame, wasCut, events, now);
        }

        _anyLeft = false;
        lane.Receiving.Rewind();
        return frames;
    }

    private static void CountDrops(EthernetPort port, PacketLane lane, ICablePortEvents events, bool wasFull)
    {
        for (uint drops = lane.TakeDrops(wasFull); drops > 0; drops--)
        {
            events.FrameDropped(port.Port.Number, DropReason.ReceiveFull);
        }
    }
}
