using CamCube.Runtime.Core;
using CamCube.Topology;

namespace CamCube.Runtime.Tests.LinkState;

/// <summary>
/// Servers with nothing but link state, on cables that a test can cut, delay and make lossy, in virtual time.
/// </summary>
internal sealed class LinkStateCube
{
    public const long Millisecond = 1_000_000;
    private const long CableDelay = 20_000;
    private readonly PriorityQueue<
        (TestServer Server, bool IsPacket, Action Work),
        (long Time, int Kind, long Order)
    > _events = new();
    private readonly bool[,] _cut;
    private long _order;

    public LinkStateCube(TorusShape shape, bool isCommissioned, int maxPayload = 1_458, int detectionMilliseconds = 200)
    {
        Liveness.DetectionTime = TimeSpan.FromMilliseconds(detectionMilliseconds);
        (Shape, MaxPayload) = (shape, maxPayload);
        Servers = new TestServer?[shape.Count];
        _cut = new bool[shape.Count, Links.Cables];
        for (int rank = 0; rank < shape.Count; rank++)
        {
            Servers[rank] = new TestServer(this, rank, 1, isCommissioned);
        }

        foreach (TestServer? server in Servers)
        {
            server!.Start();
        }
    }

    public TorusShape Shape { get; }

    public int MaxPayload { get; }

    public LivenessOptions Liveness { get; } = new();

    public CubeViewCache Views { get; } = new(512);

    public PacketPool Pool { get; } = new();

    public SortedDictionary<string, Counter> Counters { get; } = [];

    public int[] Verdicts { get; } = new int[7];

    public TestServer?[] Servers { get; }

    public long Now { get; private set; }

    public long Sent { get; private set; }

    /// <summary>Counts changes of views and keys.</summary>
    public long Changes { get; set; }

    public Action? AfterEvent { get; set; }

    /// <summary>Sender, its link, header: true loses the packet.</summary>
    public Func<TestServer, Link, LinkStateHeader, bool> Loses { get; set; } = static (_, _, _) => false;

    /// <summary>Sender, its link, header: more delay in nanoseconds.</summary>
    public Func<TestServer, Link, LinkStateHeader, long> Delays { get; set; } = static (_, _, _) => 0;

    public IEnumerable<TestServer> Alive => Servers.OfType<TestServer>();

    public long DetectionNanos => (long)Liveness.DetectionTime.TotalNanoseconds;

    public TestServer this[int rank] =>
        Servers[rank] ?? throw new InvalidOperationException($"Server {rank} is stopped.");

    public void At(long time, TestServer server, bool isPacket, Action work) =>
        _events.Enqueue((server, isPacket, work), (time, isPacket ? 0 : 1, ++_order));

    public void Transmit(TestServer from, Link link, byte[] header, byte[] body)
    {
        Sent++;
        LinkStateHeader read = System.Runtime.InteropServices.MemoryMarshal.Read<LinkStateHeader>(header);
        if (_cut[from.Rank, (int)link] || Loses(from, link, read))
        {
            return;
        }

        // Whoever runs there when it arrives gets it, also a later run of that server.
        int to = Shape.RankOf(Shape.Step(from.Coordinate, link));
        Deliver(Now + CableDelay + Delays(from, link, read), to, link.Opposite(), header, body, from.Coordinate);
    }

    public void Deliver(long time, int to, Link on, byte[] header, byte[] body, Coordinate source)
    {
        if (Servers[to] is { } waiting)
        {
            At(time, waiting, isPacket: true, () => Servers[to]?.Receive(on, header, body, source));
        }
    }

    public void Run(long nanos)
    {
        long end = Now + nanos;
        while (_events.TryPeek(out _, out (long Time, int Kind, long Order) due) && due.Time <= end)
        {
            (TestServer server, bool isPacket, Action work) = _events.Dequeue();
            Now = Math.Max(Now, due.Time);
            if (!server.IsStopped && server.PausedUntil > Now)
            {
                At(server.PausedUntil, server, isPacket, work);
            }
            else if (isPacket || !server.IsStopped)
            {
                work();
                AfterEvent?.Invoke();
            }
        }

        Now = end;
    }

    /// <summary>Runs until it is so; fails with everybody's state if it takes longer.</summary>
    public long RunUntil(Func<bool> condition, long mostNanos)
    {
        long start = Now;
        while (!condition())
        {
            Assert.True(Now - start < mostNanos, $"Not so after {mostNanos / Millisecond} ms:\n{Describe()}");
            Run(Millisecond);
        }

        return Now - start;
    }

    public string Describe() => string.Join('\n', Alive.Select(s => s.ToString()));

    public void Kill(int rank)
    {
        this[rank].Stop();
        Servers[rank] = null;
        Changes++;
    }

    public void Revive(int rank)
    {
        Servers[rank] = new TestServer(this, rank, (ulong)(Now / 1_000) + 2, isCommissioned: false);
        this[rank].Start();
    }

    public void Cut(int rank, Link link, bool cut = true, bool oneWay = false)
    {
        _cut[rank, (int)link] = cut;
        if (!oneWay)
        {
            _cut[Shape.RankOf(Shape.Step(Shape.At(rank), link)), (int)link.Opposite()] = cut;
        }
    }

    public void MendAll() => Array.Clear(_cut);

    public bool AllViewsAreEqual() => Alive.Select(s => s.View.Digest).Distinct().Count() == 1;

    /// <summary>Everybody lives, knows it, and has keys.</summary>
    public bool IsWhole() =>
        Alive.Count() == Shape.Count
        && AllViewsAreEqual()
        && Alive.All(s => s.View.IsWhole && s.HasKeys)
        && Alive.All(s => s.Up == Shape.CabledLinks(s.Coordinate));

    public void AssertNoLeak() => Assert.Equal(0, Pool.Outstanding);
}
