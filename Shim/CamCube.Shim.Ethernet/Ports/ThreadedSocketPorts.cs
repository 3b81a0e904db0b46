using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Frames;
using CamCube.Shim.Ethernet.Interfaces;
using CamCube.Shim.Ethernet.Settings;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>
/// Packet sockets with a thread per link and direction (HPDC §2.2, §4.1): the server's loop and each of these threads
/// share a ring with one producer and one consumer, and the loop makes no system calls but to sleep and to wake a
/// sender that sleeps.
/// </summary>
/// <remarks>
/// Memory order of the sleeps: who is about to sleep says so, fences, and looks at its ring again; who put something
/// into the ring fences and then looks whether the other side sleeps. One of the two sees the other.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class ThreadedSocketPorts : SocketPorts
{
    // A loop that is never idle looks at its interfaces and its wake-up this often.
    private const int StepsPerLook = 64;
    private readonly ThreadLane?[] _lanes;
    private int _asleep;
    private int _steps;

    private ThreadedSocketPorts(
        LinuxInterfaces interfaces,
        IReadOnlyList<(CablePort Port, InterfaceInfo Interface)> chosen,
        EthernetOptions options,
        TimeProvider time,
        Action<LinkNews> news
    )
        : base(interfaces, chosen, options, time, news) => _lanes = new ThreadLane?[All.Length];

    /// <summary>As <see cref="PacketSocketPorts.Open(EthernetOptions, LinkSet, TimeProvider, Action{LinkNews})"/>, with
    /// two threads per port.
    /// </summary>
    /// <exception cref="LinkProviderException">A socket cannot be opened; the message says why.</exception>
    public static ThreadedSocketPorts Open(
        EthernetOptions options,
        LinkSet links,
        TimeProvider time,
        Action<LinkNews> news
    )
    {
        LinuxInterfaces interfaces = LinuxInterfaces.Open(options, links, out var chosen);
        var ports = new ThreadedSocketPorts(interfaces, chosen, options, time, news);
        ports.OpenAll(ports.Open);
        ports.WatchForeign(PacketTap.Open);
        return ports;
    }

    /// <summary>A thread has something for the loop. Any thread.</summary>
    public void Notify()
    {
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _asleep) != 0 && Interlocked.Exchange(ref _asleep, 0) != 0)
        {
            Wake();
        }
    }

    /// <inheritdoc/>
    public override int Receive(ICablePortEvents events, int budget, long now)
    {
        if (--_steps <= 0)
        {
            Look(events, 0, now);
        }

        int frames = 0;
        for (int i = 0; i < All.Length; i++)
        {
            if (_lanes[i] is { } lane)
            {
                frames += Receive(All[i], lane, events, budget, now);
            }
        }

        return frames;
    }

    /// <inheritdoc/>
    public override void Wait(long nowNanos, long deadlineNanos)
    {
        // What is seen here is handled by the next Receive.
        _steps = 0;
        if (Options.SpinNanos > 0 && deadlineNanos > nowNanos)
        {
            long start = Time.GetTimestamp(),
                end = Math.Min(deadlineNanos - nowNanos, Options.SpinNanos);
            do
            {
                if (HasWork())
                {
                    return;
                }

                Thread.SpinWait(10);
            } while (Time.GetElapsedTime(start).Ticks * 100 < end);
            nowNanos += end;
        }

        Interlocked.Exchange(ref _asleep, 1);
        if (!HasWork())
        {
            Poller.Wait(deadlineNanos == long.MaxValue ? deadlineNanos : deadlineNanos - nowNanos);
        }

        Volatile.Write(ref _asleep, 0);
    }

    /// <inheritdoc/>
    protected override void Offer(EthernetPort port) => _lanes[port.Port.Number]?.WakeSender();

    /// <inheritdoc/>
    protected override void Lose(EthernetPort port)
    {
        // The sending thread finds out itself, and the ring is its.
    }

    /// <inheritdoc/>
    protected override void Abandon(EthernetPort port)
    {
        _lanes[port.Port.Number]?.Dispose();
        _lanes[port.Port.Number] = null;
    }

    /// <inheritdoc/>
    protected override bool Reopen(EthernetPort port, InterfaceInfo found) => Succeeds(Open(port, found.Index));

    /// <inheritdoc/>
    protected override void CloseAll()
    {
        foreach (ThreadLane? lane in _lanes)
        {
            lane?.Dispose();
        }

        base.CloseAll();
    }

    private string? Open(EthernetPort port, int index)
    {
        int error = PacketSockets.Open(
            index,
            PacketSockets.SendBufferOf(Options, port.LongestFrame),
            Options.ReceiveBuffer,
            out DescriptorHandle socket
        );
        if (error != 0)
        {
            return PacketSockets.Explain(port.Port.Name, error);
        }

        _lanes[port.Port.Number] = new ThreadLane(this, port, socket);
        return null;
    }

    private bool HasWork()
    {
        for (int i = 0; i < All.Length; i++)
        {
            if (_lanes[i] is { } lane && (lane.HasFrames || (All[i].WasFull && All[i].Room >= 2)))
            {
                return true;
            }
        }

        return false;
    }

    private void Look(ICablePortEvents events, long nanos, long now)
    {
        _steps = StepsPerLook;
        int ready = Poller.Wait(nanos);
        for (int i = 0; i < ready; i++)
        {
            if (Poller.TryGet(i, out int key, out _) && key == WakeKey)
            {
                SeeWake();
            }
            else
            {
                LookAtInterfaces(events, now);
            }
        }
    }

    private static int Receive(EthernetPort port, ThreadLane lane, ICablePortEvents events, int budget, long now)
    {
        int frames = 0;
        while (frames < budget && lane.TryTake(out ReadOnlySpan<byte> frame, out bool wasCut))
        {
            frames++;
            Deliver(port, frame, EthernetHeader.Length, wasCut, events, now);
        }

        if (frames > 0 || lane.MayHaveDropped)
        {
            lane.GiveBack();
            for (uint drops = lane.TakeDrops(frames >= budget); drops > 0; drops--)
            {
                events.FrameDropped(port.Port.Number, DropReason.ReceiveFull);
            }
        }

        lane.TakeCounts(port);
        return frames;
    }
}
