using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Frames;
using CamCube.Shim.Ethernet.Interfaces;
using CamCube.Shim.Ethernet.Settings;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>
/// Linux's packet sockets, one per interface, all in one epoll with the wake-up and the news of interfaces. Frames
/// arrive in mapped rings and leave in batches. The server's loop does everything.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class PacketSocketPorts : SocketPorts
{
    // A loop that is never idle looks at its interfaces, its wake-up and what others watch this often.
    private const int StepsPerLook = 4;
    private readonly PacketLane?[] _lanes;
    private readonly ReceivePause _pause;
    private Action? _othersHappened;
    private int _ready;
    private int _steps;
    private int _wantingRoom;

    private PacketSocketPorts(
        LinuxInterfaces interfaces,
        IReadOnlyList<(CablePort Port, InterfaceInfo Interface)> chosen,
        EthernetOptions options,
        TimeProvider time,
        Action<LinkNews> news
    )
        : base(interfaces, chosen, options, time, news)
    {
        _lanes = new PacketLane?[All.Length];
        _pause = new ReceivePause(All.Length + OtherKeys, options.SpinNanos > 0 ? 0 : options.CoalesceNanos);
        _pause.Watch(WakeHandle, WakeKey);
        _pause.Watch(interfaces.Handle, InterfacesKey);
    }

    /// <summary>Opens a socket on every interface.</summary>
    /// <param name="options">Settings.</param>
    /// <param name="links">The links of the cube's shape.</param>
    /// <param name="time">For the time before a sleep.</param>
    /// <param name="news">Takes lines for people.</param>
    /// <exception cref="LinkProviderException">A socket cannot be opened; the message says why.</exception>
    public static PacketSocketPorts Open(
        EthernetOptions options,
        LinkSet links,
        TimeProvider time,
        Action<LinkNews> news
    )
    {
        LinuxInterfaces interfaces = LinuxInterfaces.Open(options, links, out var chosen);
        var ports = new PacketSocketPorts(interfaces, chosen, options, time, news);
        ports.OpenAll((port, index) => ports.Open(port, index, port.MaxFrameLength));
        ports.WatchForeign(PacketTap.Open);
        return ports;
    }

    /// <inheritdoc/>
    public override bool TryWatch(SafeHandle descriptor, Action happened)
    {
        _othersHappened = happened;
        Poller.Watch(descriptor, OthersKey, PollEvents.Readable);
        _pause.Watch(descriptor, OthersKey);
        return true;
    }

    /// <inheritdoc/>
    public override int Receive(ICablePortEvents events, int budget, long now)
    {
        // A frame that is there can be seen without a call; who waits for room must ask.
        if (_ready != 0 || _wantingRoom > 0 || --_steps <= 0)
        {
            Look(events, now);
        }

        int frames = 0;
        for (int i = 0; i < All.Length; i++)
        {
            if (_lanes[i] is { } lane)
            {
                frames += Receive(All[i], lane, events, budget, now);
            }
        }

        _pause.Add(frames);
        return frames;
    }

    /// <inheritdoc/>
    public override void Wait(long nowNanos, long deadlineNanos)
    {
        long limit = Math.Min(deadlineNanos, NextRetry());

        // Only the large poller says that there is room.
        if (_wantingRoom == 0 && _pause.TryPause(limit - nowNanos, out bool happened))
        {
            _steps = happened ? 0 : _steps;
            return;
        }

        if (Options.SpinNanos > 0 && limit > nowNanos)
        {
            long start = Time.GetTimestamp(),
                end = Math.Min(limit - nowNanos, Options.SpinNanos);
            do
            {
                _ready = Poller.Wait(0);
            } while (_ready == 0 && Time.GetElapsedTime(start).Ticks * 100 < end);
            if (_ready != 0)
            {
                return;
            }

            nowNanos += end;
        }

        _ready = Poller.Wait(limit == long.MaxValue ? limit : limit - nowNanos);
    }

    /// <inheritdoc/>
    protected override void Offer(EthernetPort port)
    {
        PacketLane lane = _lanes[port.Port.Number]!;
        while (port.Sending.Count > 0)
        {
            if (port.Sending.Send(lane.Socket, out int error) > 0)
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
                    WantRoom(lane, port.Port.Number);
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
        if (_lanes[port.Port.Number] is { WantsRoom: true } lane)
        {
            lane.WantsRoom = false;
            _wantingRoom--;
            Poller.Change(lane.Socket, port.Port.Number, PollEvents.Readable);
        }
    }

    /// <inheritdoc/>
    protected override void Abandon(EthernetPort port)
    {
        if (_lanes[port.Port.Number] is { } lane)
        {
            Unblock(port);
            Poller.Forget(lane.Socket, port.Port.Number);
            lane.Dispose();
            _lanes[port.Port.Number] = null;
        }
    }

    /// <inheritdoc/>
    protected override bool Reopen(EthernetPort port, InterfaceInfo found) =>
        Succeeds(Open(port, found.Index, port.LongestOn(found)));

    /// <inheritdoc/>
    protected override void Resize(EthernetPort port)
    {
        // If there is no larger ring to be had, longer frames are cut in the present one and counted.
        if (_lanes[port.Port.Number]!.Ring.FrameLength < port.MaxFrameLength)
        {
            Succeeds(Open(port, port.Index, port.MaxFrameLength));
        }
    }

    /// <inheritdoc/>
    protected override void CloseAll()
    {
        foreach (PacketLane? lane in _lanes)
        {
            lane?.Dispose();
        }

        _pause.Dispose();
        base.CloseAll();
    }

    private string? Open(EthernetPort port, int index, int frameLength)
    {
        int error = PacketSockets.Open(
            index,
            PacketSockets.SendBufferOf(Options, port.LongestFrame),
            frameLength,
            Options.ReceiveBuffer,
            out PacketLane? lane
        );
        if (error != 0)
        {
            return PacketSockets.Explain(port.Port.Name, error);
        }

        Abandon(port);
        _lanes[port.Port.Number] = lane;
        Poller.Watch(lane!.Socket, port.Port.Number, PollEvents.Readable);
        return null;
    }

    private void WantRoom(PacketLane lane, int port)
    {
        if (!lane.WantsRoom)
        {
            lane.WantsRoom = true;
            _wantingRoom++;
            Poller.Change(lane.Socket, port, PollEvents.Readable | PollEvents.Writable);
        }
    }

    private void Look(ICablePortEvents events, long now)
    {
        int ready = _ready != 0 ? _ready : Poller.Wait(0);
        (_ready, _steps) = (0, StepsPerLook);
        for (int i = 0; i < ready; i++)
        {
            if (!Poller.TryGet(i, out int key, out PollEvents seen))
            {
                continue;
            }

            if (key == WakeKey)
            {
                SeeWake();
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
                LookAtPort(All[key], _lanes[key]!, seen, events, now);
            }
        }
    }

    private void LookAtPort(EthernetPort port, PacketLane lane, PollEvents seen, ICablePortEvents events, long now)
    {
        if ((seen & PollEvents.Error) != 0)
        {
            // As the interface goes down; netlink says more. It is told until it is taken.
            _ = NativeSocket.TakeError(lane.Socket);
        }

        if ((seen & PollEvents.Writable) != 0)
        {
            Unblock(port);
            OfferAll(port);
            Tell(port, events, now);
        }
    }

    private static int Receive(EthernetPort port, PacketLane lane, ICablePortEvents events, int budget, long now)
    {
        int frames = 0;
        while (frames < budget && lane.Ring.TryTake(out ReadOnlySpan<byte> frame, out bool wasCut))
        {
            frames++;
            if (!lane.Ring.IsForOthers)
            {
                Deliver(port, frame, EthernetHeader.Length, wasCut, events, now);
            }
        }

        if (frames > 0 || lane.MayHaveDropped)
        {
            lane.Ring.GiveBack();
            for (uint drops = lane.TakeDrops(frames >= Math.Min(budget, lane.Ring.Capacity)); drops > 0; drops--)
            {
                events.FrameDropped(port.Port.Number, DropReason.ReceiveFull);
            }
        }

        return frames;
    }
}
