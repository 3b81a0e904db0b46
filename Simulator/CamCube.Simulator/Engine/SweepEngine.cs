using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using CamCube.Runtime;
using CamCube.Runtime.Async;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Internal;

namespace CamCube.Simulator.Engine;

/// <summary>
/// All servers of a cube in one thread, in virtual time. A window sweep: because a packet takes at least the serialisation of the smallest
/// frame plus the propagation delay, servers cannot influence each other within such a window, so each is run through the window while its
/// data is in the cache, in rank order, without a global event queue. The order of a server's events is (time, lane): arrivals by link,
/// timer, deferred work, free links; it never depends on insertion order. Acts from outside happen between windows.
/// </summary>
internal sealed class SweepEngine : IDisposable
{
    private const int GroupShift = 6;
    private const int LeastDelayNanos = 100;
    private const int LeastFrameLength = 1_514;
    private const int GroupSize = 1 << GroupShift;
    private const int InLinks = 8;
    private readonly CubeContext _context;
    private readonly HotArray _hot;
    private readonly InFlight[] _flight;
    private readonly int[] _peer;
    private readonly bool[] _cut;
    private readonly long[] _next;
    private readonly long[] _group;
    private readonly ServerRuntime?[] _servers;
    private readonly SimulatedLinks[] _links;
    private readonly long _picosPerByte;
    private readonly long _window;
    private long[]? _resume;
    private long _now;
    private long _floor;
    private long _skipped;

    public SweepEngine(CubeContext context, SimulatorOptions options)
    {
        (_context, Options) = (context, options);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.LinkDelayNanos, LeastDelayNanos);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.LinkBitsPerSecond, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.ReceiveLimit, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.MaxFrameLength, LeastFrameLength);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.MaxFrameLength, ushort.MaxValue);
        TorusShape shape = context.Shape;
        int n = shape.Count;
        _hot = new HotArray(n + 1);
        _flight = new InFlight[n * InLinks];
        _peer = new int[n * InLinks];
        _cut = new bool[n * InLinks];
        _group = new long[(n + GroupSize - 1) >> GroupShift];
        _next = new long[_group.Length << GroupShift];
        Array.Fill(_next, long.MaxValue);
        Array.Fill(_group, long.MaxValue);
        _servers = new ServerRuntime?[n];
        _links = new SimulatedLinks[n];
        Gates = new ServerGate[n];
        _picosPerByte = Math.Max(1, 8_000_000_000_000 / options.LinkBitsPerSecond);
        _window = options.LinkDelayNanos + (Packet.FrameOverhead * _picosPerByte / 1_000);
        for (int rank = 0; rank < n; rank++)
        {
            Coordinate c = shape.At(rank);
            for (int link = 0; link < Links.Cables; link++)
            {
                _peer[(rank * InLinks) + link] = (shape.RankOf(shape.Step(c, (Link)link)) * InLinks) + (link ^ 1);
            }

            _links[rank] = new SimulatedLinks(this, rank);
            Gates[rank] = new ServerGate(context.Inbox, c, shape, context.Options.GateLimit);
        }

        context.Touched = Touch;
    }

    public SimulatorOptions Options { get; }

    public ServerGate[] Gates { get; }

    public CubeContext Context => _context;

    public long Now => _now;

    public long Events { get; private set; }

    public long Hops { get; private set; }

    public long LostOnCables { get; private set; }

    /// <summary>Which links a server gets when it starts: its simulated ones, or those with something in front.</summary>
    public Func<ServerRuntime, LinkDriver, LinkDriver> LinksOf { get; set; } = static (_, plain) => plain;

    public ServerRuntime? ServerAt(int rank) => _servers[rank];

    public LinkDriver PlainLinksOf(int rank) => _links[rank];

    public ulong TraceHash
    {
        get
        {
            ulong hash = 0;
            for (int i = 0; i < _servers.Length; i++)
            {
                hash = Runtime.Internal.TraceHash.Mix(hash, _hot[i].Hash);
            }

            return hash;
        }
    }

    public bool IsCut(int rank, Link link) => _cut[(rank * InLinks) + (int)link];

    /// <summary>Cuts or mends one direction of a cable.</summary>
    public void SetCut(int rank, Link link, bool cut) => _cut[(rank * InLinks) + (int)link] = cut;

    /// <summary>The same cable seen from its other end.</summary>
    public (int Rank, Link Link) PeerOf(int rank, Link link)
    {
        int peer = _peer[(rank * InLinks) + (int)link];
        return (peer / InLinks, (Link)(peer % InLinks));
    }

    public void Start(int rank, ulong incarnation, bool commissioned)
    {
        ulong hash = _hot[rank].Hash;
        _hot[rank].Clear();
        _hot[rank].Hash = hash;
        var server = new ServerRuntime(_context, rank, _hot.Pointer(rank), Gates[rank], incarnation, commissioned);
        _servers[rank] = server;
        ServerLifecycle.Start(server, LinksOf(server, _links[rank]), _now);
        Touch(rank);
    }

    public void Stop(int rank, StopReason? reason)
    {
        ServerRuntime server = _servers[rank]!;
        ulong hash = _hot[rank].Hash;
        server.Now = Math.Max(server.Now, _now);
        ServerLifecycle.Stop(server, reason);
        _hot[rank].Hash = hash;
        _servers[rank] = null;
        for (int link = 0; link < Links.Cables; link++)
        {
            ref InFlight flight = ref _flight[(rank * InLinks) + link];
            while (flight.Head is { } packet)
            {
                flight.Head = packet.Next;
                packet.Next = null;
                LoseOne(packet);
            }

            flight = default;
        }

        _next[rank] = long.MaxValue;
    }

    public long SerialisationNanos(int wireLength) => wireLength * _picosPerByte / 1_000;

    public long Transmit(int rank, int link, Packet packet, long now) =>
        Transmit(rank, link, packet, now, SerialisationNanos(packet.WireLength), 0);

    public long Transmit(int rank, int link, Packet packet, long now, long busyNanos, long laterNanos)
    {
        long end = now + busyNanos;
        int slot = (rank * InLinks) + link;
        int inLink = _peer[slot];
        ref InFlight flight = ref _flight[inLink];
        if (_cut[slot] || _servers[inLink / InLinks] is null)
        {
            LoseOne(packet);
            return end;
        }

        if (flight.Count >= Options.ReceiveLimit)
        {
            _servers[inLink / InLinks]!.Counters.Drop(DropReason.ReceiveFull);
            _context.Pool.Free(packet, packet.OwnerWord);
            return end;
        }

        long at = end + Options.LinkDelayNanos + laterNanos;
        packet.Next = null;
        packet.When = at;
        flight.Count++;
        if (flight.Head is not null)
        {
            Packet tail = flight.Tail!;
            if (at >= tail.When)
            {
                tail.Next = packet;
                flight.Tail = packet;
                return end;
            }

            if (!Overtake(flight.Head, packet))
            {
                return end;
            }

            packet.Next = flight.Head;
            flight.Head = packet;
        }
        else
        {
            flight.Head = flight.Tail = packet;
        }

        int receiver = inLink / InLinks;
        _hot[receiver].When[inLink % InLinks] = at;
        Lower(receiver, at);
        return end;
    }

    /// <summary>Nothing happens at a server until a time; what was due meanwhile happens then, and sees that time as now.</summary>
    public void Pause(int rank, long until) => (_resume ??= new long[_servers.Length])[rank] = until;

    public long ResumesAt(int rank) => _resume is null ? 0 : _resume[rank];

    /// <summary>Something changed at a server from outside: its next event may be earlier than it was.</summary>
    public void Touch(int rank) => Lower(rank, Math.Max(_hot[rank].Next(out _), _now));

    /// <summary>Services were called directly between runs, as tests and experiments do.</summary>
    public void TouchAll()
    {
        for (int rank = 0; rank < _servers.Length; rank++)
        {
            if (_servers[rank] is not null)
            {
                Touch(rank);
            }
        }
    }

    /// <summary>Brings the clocks of all servers to the present, so that direct calls between runs see it.</summary>
    public void SetNowAtAll()
    {
        foreach (ServerRuntime? server in _servers)
        {
            if (server is not null)
            {
                server.Now = _now;
            }
        }
    }

    /// <summary>Time of the next event of any server.</summary>
    public long NextEvent()
    {
        long least = long.MaxValue;
        foreach (long t in _group)
        {
            least = Math.Min(least, t);
        }

        return least;
    }

    /// <summary>Lets time pass without running what came due in it: the next run does that, and sees this time as now. Requests that are
    /// handled before it see this time too.</summary>
    public void SkipTo(long now)
    {
        _context.LoopThread = Environment.CurrentManagedThreadId;
        _skipped = now;
        _context.NowNanos = now;
    }

    /// <summary>Runs all events up to and including a time. Events that were due before <paramref name="floor"/> see that time as now.</summary>
    public void Run(long until, long floor = 0)
    {
        _floor = Math.Max(floor, _skipped);
        _context.LoopThread = Environment.CurrentManagedThreadId;
        while (_now <= until)
        {
            long end = Math.Min(_now + _window, until + 1);
            long least = Sweep(end);
            _now = Math.Max(end, Math.Min(least, until + 1));
            _context.NowNanos = _now;
        }

        _now = until;
        _context.NowNanos = _now;
    }

    public void Dispose() => _hot.Dispose();

    private long Sweep(long end)
    {
        for (int g = 0; g < _group.Length; g++)
        {
            if (_group[g] >= end)
            {
                continue;
            }

            _group[g] = long.MaxValue;
            int first = g << GroupShift;
            // What servers send now arrives after the window, so who is due in it is known before the first of them runs.
            ulong due = DueIn(first, end);
            while (due != 0)
            {
                int i = first + BitOperations.TrailingZeroCount(due);
                due &= due - 1;
                if (due != 0)
                {
                    PrefetchServer(first + BitOperations.TrailingZeroCount(due), end);
                }

                RunWindow(i, end);
            }

            long least = Least(_next.AsSpan(first, GroupSize));

            // Servers of later groups may have lowered this group's minimum meanwhile, and will again: never overwrite, only lower.
            _group[g] = Math.Min(least, _group[g]);
        }

        return NextEvent();
    }

    /// <summary>Bit i: server first + i has an event before a time. Eight are looked at at once.</summary>
    private ulong DueIn(int first, long end)
    {
        ReadOnlySpan<long> next = _next.AsSpan(first, GroupSize);
        Vector512<long> limit = Vector512.Create(end);
        ulong due = 0;
        for (int i = 0; i < GroupSize; i += 8)
        {
            due |= Vector512.LessThan(Vector512.Create(next[i..]), limit).ExtractMostSignificantBits() << i;
        }

        return due;
    }

    private static long Least(ReadOnlySpan<long> times)
    {
        Vector512<long> least = Vector512.Create(long.MaxValue);
        for (int i = 0; i < times.Length; i += 8)
        {
            least = Vector512.Min(least, Vector512.Create(times[i..]));
        }

        long all = long.MaxValue;
        for (int i = 0; i < 8; i++)
        {
            all = Math.Min(all, least[i]);
        }

        return all;
    }

    private void RunWindow(int i, long end)
    {
        if (_resume is { } resume && resume[i] >= end)
        {
            _next[i] = resume[i];
            return;
        }

        for (; ; )
        {
            ServerRuntime server = _servers[i]!;
            try
            {
                Window(server, i, end);
                return;
            }
            catch (Exception e)
            {
                // If contained, the rest of the window goes on.
                if (!ServerLifecycle.TryContain(server, e))
                {
                    throw;
                }
            }
        }
    }

    private void Window(ServerRuntime server, int i, long end)
    {
        ref HotState hot = ref _hot[i];
        long now = Math.Max(_floor, _resume is null ? _now : Math.Max(_resume[i], _now));
        for (; ; )
        {
            long t = hot.Next(out uint lanes);
            if (t >= end)
            {
                _next[i] = t;
                return;
            }

            // A link that was free long ago, or a timer of the past, is served now: time never runs backwards.
            now = Math.Max(t, now);
            Events++;
            int lane = BitOperations.TrailingZeroCount(lanes);
            if (lane < Links.Cables)
            {
                ref InFlight flight = ref _flight[(i * InLinks) + lane];
                Packet packet = flight.Head!;
                flight.Head = packet.Next;
                flight.Count--;
                hot.When[lane] = flight.Head is { } following ? following.When : long.MaxValue;
                Hops++;
                server.Arrive((Link)lane, packet, now);
            }
            else if (lane >= HotState.FreeLane)
            {
                server.ServeLink(lane - HotState.FreeLane, now);
            }
            else if (lane == HotState.TimerLane)
            {
                server.RunTimers(now);
            }
            else
            {
                server.RunDeferred(now);
            }
        }
    }

    // The next due server's packets that arrive in the window, while the present one runs: a hop is mostly cache misses.
    private void PrefetchServer(int i, long end)
    {
        ref HotState hot = ref _hot[i];
        for (int link = 0; link < Links.Cables; link++)
        {
            if (hot.When[link] < end)
            {
                Prefetch.Packet(_flight[(i * InLinks) + link].Head);
            }
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Lower(int rank, long time)
    {
        if (time < _next[rank])
        {
            _next[rank] = time;
            ref long group = ref _group[rank >> GroupShift];
            group = Math.Min(group, time);
        }
    }

    // Packets held back by fault rules are overtaken. True: this one is the first of all.
    private static bool Overtake(Packet head, Packet packet)
    {
        if (packet.When < head.When)
        {
            return true;
        }

        Packet before = head;
        while (before.Next!.When <= packet.When)
        {
            before = before.Next;
        }

        (packet.Next, before.Next) = (before.Next, packet);
        return false;
    }

    private void LoseOne(Packet packet)
    {
        LostOnCables++;
        _context.Pool.Free(packet, packet.OwnerWord);
    }

    private struct InFlight
    {
        public Packet? Head;
        public Packet? Tail;
        public int Count;
    }
}
