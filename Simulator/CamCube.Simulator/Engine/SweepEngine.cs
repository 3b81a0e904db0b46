using System.Diagnostics;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Gates;
using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Engine;

/// <summary>
/// All servers of a cube in virtual time, on one thread or several. A window sweep: because a packet takes at least the
/// serialisation of the smallest frame plus the propagation delay, servers cannot influence each other within such a
/// window, so partitions of them run through it independently and meet at its end. What happens does not depend on the
/// number of partitions. Acts from outside happen between windows.
/// </summary>
internal sealed class SweepEngine : IDisposable
{
    private const int LeastDelayNanos = 100;
    private const int LeastFrameLength = 1_514;
    private readonly Cables _cables;
    private readonly SimulatedLinks[] _links;
    private readonly SweepThreads? _threads;
    private readonly int[] _partitionOf;
    private readonly long _window;
    private LinkDriver?[]? _wrapped;
    private long _now;
    private long _skipped;

    /// <param name="makeContext">What the servers of one partition share; called once per partition.</param>
    /// <param name="options">Cables and threads.</param>
    public SweepEngine(Func<CubeContext> makeContext, SimulatorOptions options)
    {
        Options = options;
        ArgumentOutOfRangeException.ThrowIfLessThan(options.LinkDelayNanos, LeastDelayNanos);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.LinkBitsPerSecond, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.ReceiveLimit, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.MaxFrameLength, LeastFrameLength);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.MaxFrameLength, ushort.MaxValue);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Threads, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.Threads, SimulatorOptions.MaxThreads);
        PicosPerByte = Math.Max(1, 8_000_000_000_000 / options.LinkBitsPerSecond);
        _window = options.LinkDelayNanos + (Packet.FrameOverhead * PicosPerByte / 1_000);

        CubeContext context = makeContext();
        Shape = context.Shape;
        int n = Shape.Count,
            partitions = Math.Min(options.Threads, n);
        _cables = new Cables(Shape);
        Partitions = new SweepPartition[partitions];
        _partitionOf = new int[n];
        for (int p = 0; p < partitions; p++)
        {
            int first = (int)((long)n * p / partitions),
                end = (int)((long)n * (p + 1) / partitions);
            Partitions[p] = new SweepPartition(
                this,
                p == 0 ? context : makeContext(),
                _cables,
                p,
                partitions,
                first,
                end - first
            );
            Array.Fill(_partitionOf, p, first, end - first);
        }

        CablePackets.JoinPools(Partitions.Select(p => p.Context));
        _threads = partitions == 1 ? null : new SweepThreads(Partitions, _window);
        _links = new SimulatedLinks[n];
        Gates = new ServerGate[n];
        for (int rank = 0; rank < n; rank++)
        {
            SweepPartition partition = Partitions[_partitionOf[rank]];
            _links[rank] = new SimulatedLinks(partition, options, rank);
            Coordinate server = Shape.At(rank);
            Gates[rank] = new ServerGate(partition.Context.Inbox, server, Shape, context.Options.GateLimit)
            {
                AgentEnded = (agent, e) => partition.Context.Events.AgentEnded(server, agent, e),
            };
        }
    }

    public TorusShape Shape { get; }

    public SimulatorOptions Options { get; }

    public SweepPartition[] Partitions { get; }

    public ServerGate[] Gates { get; }

    /// <summary>Picoseconds that a byte takes on a link.</summary>
    public long PicosPerByte { get; }

    public long Now => _now;

    public long Events => Partitions.Sum(p => p.Events);

    public long Hops => Partitions.Sum(p => p.Hops);

    public long LostOnCables => Partitions.Sum(p => p.LostOnCables);

    public int PacketsOutstanding => Partitions.Sum(p => p.Context.PacketsOutstanding);

    /// <summary>Which links a server gets when it starts: its simulated ones, or those with something in
    /// front.</summary>
    public Func<ServerRuntime, LinkDriver, LinkDriver> LinksOf { get; set; } = static (_, plain) => plain;

    public ulong TraceHash
    {
        get
        {
            ulong hash = 0;
            for (int i = 0; i < Shape.Count; i++)
            {
                hash = Runtime.Tracing.TraceHash.Mix(hash, _cables.Hot[i].Hash);
            }

            return hash;
        }
    }

    /// <summary>Trace hash of one server.</summary>
    public ulong HashOf(int rank) => _cables.Hot[rank].Hash;

    /// <summary>The links of a server that runs, as <see cref="SimulatorOptions.WrapLinks"/> made them, without fault
    /// rules.</summary>
    public LinkDriver PlainLinksOf(int rank) => _wrapped?[rank] ?? _links[rank];

    public ServerRuntime? ServerAt(int rank) => _cables.Servers[rank];

    public int PartitionOf(int rank) => _partitionOf[rank];

    public bool IsCut(int rank, Link link) => _cables.Cut[(rank * Cables.InLinks) + (int)link];

    /// <summary>Cuts or mends one direction of a cable.</summary>
    public void SetCut(int rank, Link link, bool cut) => _cables.SetCut((rank * Cables.InLinks) + (int)link, cut);

    /// <summary>The same cable seen from its other end.</summary>
    public (int Rank, Link Link) PeerOf(int rank, Link link)
    {
        int peer = _cables.Peer[(rank * Cables.InLinks) + (int)link];
        return (peer / Cables.InLinks, (Link)(peer % Cables.InLinks));
    }

    public void Start(int rank, ulong incarnation, bool commissioned)
    {
        SweepPartition partition = Partitions[_partitionOf[rank]];
        ulong hash = _cables.Hot[rank].Hash;
        _cables.Hot[rank].Clear();
        _cables.Hot[rank].Hash = hash;
        var server = new ServerRuntime(
            partition.Context,
            rank,
            _cables.Hot.Pointer(rank),
            Gates[rank],
            incarnation,
            commissioned
        );
        _cables.SetServer(rank, server);
        ServerLifecycle.Start(server, LinksOf(server, Wrapped(server)), _now);
        Touch(rank);
    }

    public void Stop(int rank, StopReason? reason)
    {
        ServerRuntime server = _cables.Servers[rank]!;
        ulong hash = _cables.Hot[rank].Hash;
        server.Now = Math.Max(server.Now, _now);
        ServerLifecycle.Stop(server, reason);
        TakeSentBetweenRuns();
        _cables.Hot[rank].Hash = hash;
        _cables.SetServer(rank, null);
        Partitions[_partitionOf[rank]].Forget(rank);
    }

    /// <summary>Nothing happens at a server until a time; what was due meanwhile happens then, and sees that time as
    /// now.</summary>
    public void Pause(int rank, long until) => _cables.Pause(rank, until);

    /// <summary>Who has the outstanding packets, for messages.</summary>
    public string DescribePackets() => Partitions[0].Context.DescribePackets(NameOf);

    public long ResumesAt(int rank) => _cables.Resume[rank];

    /// <summary>Something changed at a server from outside: its next event may be earlier than it was.</summary>
    public void Touch(int rank) => Partitions[_partitionOf[rank]].Touch(rank);

    /// <summary>Services were called directly between runs, as tests and experiments do.</summary>
    public void TouchAll()
    {
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            if (_cables.Servers[rank] is not null)
            {
                Touch(rank);
            }
        }
    }

    /// <summary>Brings the clocks of all servers to the present, so that direct calls between runs see it.</summary>
    public void SetNowAtAll()
    {
        foreach (ServerRuntime? server in _cables.Servers)
        {
            if (server is not null)
            {
                server.Now = _now;
            }
        }
    }

    /// <summary>The calling thread may act on all servers, until the next run.</summary>
    public void TakeLoops()
    {
        foreach (SweepPartition partition in Partitions)
        {
            partition.Context.LoopThread = Environment.CurrentManagedThreadId;
        }
    }

    /// <summary>Who looks from outside at the loops of all partitions, in virtual time.</summary>
    public LoopSampler[] MakeSamplers()
    {
        return
        [
            .. Partitions.Select(partition =>
            {
                partition.Context.Pulse.Begin();
                return new LoopSampler(
                    partition.Context.Inbox,
                    partition.Context.Pulse,
                    partition.Count,
                    i => ServerAt(partition.First + i),
                    isVirtual: true
                );
            }),
        ];
    }

    /// <summary>Runs what other threads, or acts between runs, posted. Returns how much that was.</summary>
    public int DrainInboxes()
    {
        int n = 0;
        foreach (SweepPartition partition in Partitions)
        {
            n += partition.Context.Inbox.Drain();
        }

        return n;
    }

    /// <summary>All servers are going to be stopped.</summary>
    public void AbandonPackets()
    {
        foreach (SweepPartition partition in Partitions)
        {
            partition.Context.AbandonPackets();
        }
    }

    /// <summary>What is posted from now on only learns that the cube has ended.</summary>
    public void CloseInboxes()
    {
        foreach (SweepPartition partition in Partitions)
        {
            partition.Context.Inbox.Close();
        }
    }

    /// <summary>Time of the next event of any server.</summary>
    public long NextEvent()
    {
        long least = long.MaxValue;
        foreach (SweepPartition partition in Partitions)
        {
            least = Math.Min(least, partition.NextEvent());
        }

        return least;
    }

    /// <summary>Time of the next event of any server that is no timer's: packets, and links that they wait for. Looks
    /// at all servers.</summary>
    public long NextEventButTimers()
    {
        long least = long.MaxValue;
        foreach (SweepPartition partition in Partitions)
        {
            least = Math.Min(least, partition.NextEventButTimers());
        }

        return least;
    }

    /// <summary>Lets time pass without running what came due in it: the next run does that, and sees this time as now.
    /// Requests that are handled before it see this time too.</summary>
    public void SkipTo(long now)
    {
        TakeLoops();
        _skipped = now;
        SetNow(now);
    }

    /// <summary>Runs all events up to and including a time. Events that were due before <paramref name="floor"/> see
    /// that time as now.</summary>
    public void Run(long until, long floor = 0)
    {
        floor = Math.Max(floor, _skipped);
        TakeLoops();
        TakeSentBetweenRuns();
        SetDriven(true);
        try
        {
            RunWindows(until, floor);
        }
        finally
        {
            SetDriven(false);
        }

        _now = until;
        SetNow(until);
    }

    public void Dispose()
    {
        _threads?.Dispose();
        _cables.Dispose();
    }

    private void RunWindows(long until, long floor)
    {
        if (_threads is not null)
        {
            _threads.Run(_now, until, floor);
            TakeLoops();
            return;
        }

        SweepPartition all = Partitions[0];
        for (long now = _now; now <= until; )
        {
            long end = Math.Min(now + _window, until + 1);
            long least = all.Sweep(now, end, floor, half: 0);
            now = Math.Max(end, Math.Min(least, until + 1));
        }
    }

    private LinkDriver Wrapped(ServerRuntime server)
    {
        LinkDriver plain = _links[server.Rank];
        if (Options.WrapLinks is not { } wrap)
        {
            return plain;
        }

        _wrapped ??= new LinkDriver?[_links.Length];
        LinkDriver wrapped = _wrapped[server.Rank] ??= wrap(server.Coordinate, plain);
        wrapped.Attach(new FramePort(server));
        return wrapped;
    }

    // What acts between runs sent, into whichever half of the mail: it may arrive in the very first window of the next
    // run, or be lost with a server that stops before.
    private void TakeSentBetweenRuns()
    {
        foreach (SweepPartition partition in Partitions)
        {
            partition.TakeMail(0);
            partition.TakeMail(1);
        }
    }

    [Conditional("DEBUG")]
    private void SetDriven(bool isDriven)
    {
        foreach (SweepPartition partition in Partitions)
        {
            partition.Context.IsDriven = isDriven || !partition.Context.IsVirtual;
        }
    }

    private void SetNow(long now)
    {
        foreach (SweepPartition partition in Partitions)
        {
            partition.Context.NowNanos = now;
        }
    }

    private string NameOf(int rank, int slot)
    {
        ServiceSlot[] slots = ServerAt(rank)?.SlotTable ?? [];
        string who =
            slot < slots.Length ? $"by {slots[slot].Definition.Name} "
            : slot == CablePackets.NoSlot ? ""
            : $"by the service in slot {slot} ";
        return $"{who}at {Shape.At(rank)}";
    }
}
