using System.Runtime.InteropServices;
using CamCube.Cables;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Frames;
using CamCube.Shim.Ethernet.Interfaces;
using CamCube.Shim.Ethernet.Ports;
using CamCube.Shim.Ethernet.Settings;

namespace CamCube.Shim.Ethernet.Pcap;

/// <summary>
/// Ports by libpcap, Npcap or WinPcap: for systems without packet sockets, and on Linux for whoever wants it. A pcap
/// per interface, in immediate mode and without waiting; on Windows a batch goes out as one send queue.
/// </summary>
internal sealed unsafe class PcapPorts : EthernetPorts
{
    private readonly PcapReadiness _ready;
    private readonly Dictionary<string, string> _devices;
    private readonly PcapLane?[] _lanes;
    private readonly bool _hasQueue = OperatingSystem.IsWindows() && PcapLibrary.Has("pcap_sendqueue_transmit");
    private readonly int _fullBatch;
    private PcapCalls.SendQueue* _queue;
    private bool _isFresh;

    private PcapPorts(
        IReadOnlyList<(CablePort Port, InterfaceInfo Interface)> chosen,
        PcapReadiness? ready,
        LinuxInterfaces? interfaces,
        EthernetOptions options,
        TimeProvider time,
        Action<LinkNews> news
    )
        : base(chosen, options, time, news)
    {
        // A small buffer holds few frames, each in a place of up to 16 KiB: half of them are as good as a full batch.
        _fullBatch = options.ReceiveBuffer / 32_768;
        _devices = chosen.ToDictionary(c => c.Port.Name, c => c.Interface.Device ?? c.Interface.Name);
        _lanes = new PcapLane?[All.Length];
        _ready =
            ready
            ?? (
                OperatingSystem.IsLinux()
                    ? new LinuxReadiness(interfaces!, IsMeant)
                    : throw new PlatformNotSupportedException()
            );
        if (_hasQueue)
        {
            int frame = EthernetHeader.LongestFrame + sizeof(PcapCalls.WindowsHeader);
            _queue = PcapCalls.AllocateQueue((uint)(2 * EthernetPort.Frames * frame));
        }
    }

    /// <summary>Opens every interface.</summary>
    /// <param name="options">Settings.</param>
    /// <param name="links">The links of the cube's shape.</param>
    /// <param name="time">For the time before a sleep.</param>
    /// <param name="news">Takes lines for people.</param>
    /// <exception cref="LinkProviderException">The library is missing or an interface cannot be opened; the message
    /// says why.</exception>
    public static PcapPorts Open(EthernetOptions options, LinkSet links, TimeProvider time, Action<LinkNews> news)
    {
        PcapLibrary.Require();
        PcapPorts ports;
        if (OperatingSystem.IsLinux())
        {
            LinuxInterfaces interfaces = LinuxInterfaces.Open(options, links, out var chosen);
            ports = new PcapPorts(chosen, null, interfaces, options, time, news);
        }
        else
        {
            var chosen = InterfaceChoice.Choose(options.Interfaces, PortableInterfaces.List(), links);
            ports = new PcapPorts(chosen, new PortableReadiness(), null, options, time, news);
        }

        ports.OpenAll((port, _) => ports.Open(port));
        ports.WatchForeign(port => PcapTap.Open(ports._devices[port.Port.Name]));
        return ports;
    }

    /// <inheritdoc/>
    public override int Receive(ICablePortEvents events, int budget, long now)
    {
        if (!_isFresh)
        {
            _ready.Wait(0);
        }

        _isFresh = false;
        if (_ready.InterfacesChanged)
        {
            Compare(_ready.Interfaces(), events, now);
        }

        int frames = 0;
        for (int i = 0; i < All.Length; i++)
        {
            EthernetPort port = All[i];
            ulong bit = 1UL << i;
            if ((_ready.Writable & bit) != 0 && port.IsBlocked && port.RetryAt == long.MaxValue)
            {
                Unblock(port);
                OfferAll(port);
                Tell(port, events, now);
            }

            if (_lanes[i] is { } lane && ((_ready.Readable & bit) != 0 || lane.MayHaveDropped))
            {
                frames += Receive(port, lane, events, budget, now);
            }
        }

        return frames;
    }

    /// <inheritdoc/>
    public override void Wait(long nowNanos, long deadlineNanos)
    {
        long limit = Math.Min(deadlineNanos, NextRetry());
        _isFresh = true;
        if (Options.SpinNanos > 0 && limit > nowNanos && OperatingSystem.IsLinux())
        {
            long start = Time.GetTimestamp(),
                end = Math.Min(limit - nowNanos, Options.SpinNanos);
            do
            {
                _ready.Wait(0);
                if ((_ready.Readable | _ready.Writable) != 0 || _ready.InterfacesChanged)
                {
                    return;
                }
            } while (Time.GetElapsedTime(start).Ticks * 100 < end);
            nowNanos += end;
        }

        _ready.Wait(limit == long.MaxValue ? limit : limit - nowNanos);
    }

    /// <inheritdoc/>
    public override void Wake() => _ready.Wake();

    /// <inheritdoc/>
    protected override void Offer(EthernetPort port)
    {
        if (_lanes[port.Port.Number] is not { } lane)
        {
            port.LoseAll();
        }
        else if (_hasQueue)
        {
            Transmit(port, lane);
        }
        else
        {
            SendOneByOne(port, lane);
        }

        port.Sending.Rewind();
    }

    /// <inheritdoc/>
    protected override void Unblock(EthernetPort port)
    {
        if (port.IsBlocked && port.RetryAt == long.MaxValue)
        {
            _ready.WatchRoom(port.Port.Number, on: false);
        }

        base.Unblock(port);
    }

    /// <inheritdoc/>
    protected override void Abandon(EthernetPort port)
    {
        _ready.Forget(port.Port.Number);
        _lanes[port.Port.Number]?.Dispose();
        _lanes[port.Port.Number] = null;
    }

    /// <inheritdoc/>
    protected override bool Reopen(EthernetPort port, InterfaceInfo found) => Succeeds(Open(port));

    /// <inheritdoc/>
    protected override void CloseAll()
    {
        foreach (EthernetPort p in All)
        {
            Abandon(p);
        }

        _ready.Dispose();
        if (_queue is not null)
        {
            PcapCalls.DestroyQueue(_queue);
            _queue = null;
        }
    }

    private string? Open(EthernetPort port)
    {
        string name = port.Port.Name;
        string? fault = PcapLane.Open(
            name,
            _devices[name],
            EthernetHeader.LongestFrame + EthernetHeader.TagLength + 1,
            Options.ReceiveBuffer,
            PcapLane.Ours,
            out PcapLane? lane
        );
        if (lane is not null)
        {
            _lanes[port.Port.Number] = lane;
            _ready.Watch(port.Port.Number, lane.Handle);
        }

        return fault;
    }

    private void SendOneByOne(EthernetPort port, PcapLane lane)
    {
        while (port.Sending.Count > 0)
        {
            int error = lane.Send(port.Sending.Readable(0, out _));
            switch (error)
            {
                case SystemError.Again when _ready.WatchRoom(port.Port.Number, on: true):
                    (port.IsBlocked, port.RetryAt) = (true, long.MaxValue);
                    return;
                case SystemError.Again or SystemError.NoBuffers:
                    (port.IsBlocked, port.RetryAt) = (true, 0);
                    return;
                case SystemError.NetworkDown or SystemError.NoSuchDevice or SystemError.NoDevice:
                    port.LoseAll();
                    return;
                case SystemError.MessageTooLong:
                    port.TooLarge++;
                    break;
                default:
                    port.Refused += error == 0 ? 0 : 1;
                    break;
            }

            port.Sending.Release(1);
        }
    }

    /// <summary>Windows: one call of the driver for the whole batch.</summary>
    private void Transmit(EthernetPort port, PcapLane lane)
    {
        int frames = port.Sending.Count;
        _queue->Length = 0;
        for (int i = 0; i < frames; i++)
        {
            ReadOnlySpan<byte> frame = port.Sending.Readable(i, out _);
            var header = new PcapCalls.WindowsHeader { Captured = (uint)frame.Length, Length = (uint)frame.Length };
            fixed (byte* bytes = &MemoryMarshal.GetReference(frame))
            {
                PcapCalls.Queue(_queue, &header, bytes);
            }
        }

        // It answers how many bytes of the queue went out; the rest was refused by the driver.
        uint sent = PcapCalls.Transmit(lane.Handle, _queue, 0),
            end = 0;
        for (int i = 0; i < frames; i++)
        {
            end += (uint)(sizeof(PcapCalls.WindowsHeader) + port.Sending.Readable(i, out _).Length);
            port.Refused += end > sent ? 1 : 0;
        }

        port.Sending.Release(frames);
    }

    private int Receive(EthernetPort port, PcapLane lane, ICablePortEvents events, int budget, long now)
    {
        int frames = 0;
        while (frames < budget && lane.TryNext(out ReadOnlySpan<byte> frame, out bool wasCut))
        {
            // pcap's own ring has moved on already: a frame that makes somebody throw does not come again.
            frames++;
            if (EthernetHeader.LengthIn(frame) is var header and > 0)
            {
                Deliver(port, frame, header, wasCut, events, now);
            }
        }

        for (uint drops = lane.TakeDrops(frames >= Math.Min(budget, _fullBatch)); drops > 0; drops--)
        {
            events.FrameDropped(port.Port.Number, DropReason.ReceiveFull);
        }

        return frames;
    }
}
