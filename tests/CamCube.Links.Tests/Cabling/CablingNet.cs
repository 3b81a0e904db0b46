namespace CamCube.Cabling.Tests;

/// <summary>Servers with nothing but the cabling protocol, and cables between their ports, in virtual time.</summary>
internal sealed class CablingNet
{
    public const long Second = 1_000_000_000;
    private readonly PriorityQueue<(NetServer To, int Port, byte[] Frame), (long, long)> _frames = new();
    private long _sequence;

    public CablingNet(TorusShape shape, int seed = 1)
    {
        (Shape, Random) = (shape, new Random(seed));
    }

    public TorusShape Shape { get; }

    public Random Random { get; }

    /// <summary>What a server calls its only port on an axis of two with one cable, by the axis; null: it has a port
    /// for each link.</summary>
    public Func<Coordinate, int, Link>? OnlyPort { get; init; }

    public CablingOptions Options { get; init; } = new();

    public List<NetServer> Servers { get; } = [];

    /// <summary>Without strangers.</summary>
    public IEnumerable<NetServer> Members => Servers.Where(s => s.ClusterId == "camcube");

    public List<NetCable> Cables { get; } = [];

    /// <summary>Is told of everything that is sent.</summary>
    public Action<NetServer, int, byte[]>? Sent { get; set; }

    public long Now { get; private set; }

    public long UnixMillis => 1_790_000_000_000 + (Now / 1_000_000) + ClockOffsetMillis;

    /// <summary>How far the clock of calendars of all servers is off.</summary>
    public long ClockOffsetMillis { get; set; }

    /// <summary>A whole cube with the right cables and random identities.</summary>
    public static CablingNet Cube(TorusShape shape, int seed = 1, Func<Coordinate, int, Link>? onlyPort = null)
    {
        var net = new CablingNet(shape, seed) { OnlyPort = onlyPort };
        for (int rank = 0; rank < shape.Count; rank++)
        {
            net.AddServer(shape.At(rank));
        }

        foreach (NetServer server in net.Servers)
        {
            for (int axis = 0; axis < 3; axis++)
            {
                Link link = Links.Of(axis, 1);
                if (shape.CabledLinks(server.Planned).Contains(link))
                {
                    net.Connect(server, link, net.At(shape.Step(server.Planned, link)), link.Opposite());
                }
            }
        }

        return net;
    }

    public NetServer AddServer(Coordinate planned)
    {
        var server = new NetServer(this, Servers.Count, new ServerId((ulong)Random.NextInt64()), planned);
        Servers.Add(server);
        return server;
    }

    public NetServer At(int x, int y, int z) => At(new Coordinate((ushort)x, (ushort)y, (ushort)z));

    public NetServer At(Coordinate planned) => Servers.First(s => s.Planned == planned);

    public NetCable Connect(NetServer a, Link linkA, NetServer b, Link linkB) =>
        Connect(a, a.PortOf(linkA), b, b.PortOf(linkB));

    public NetCable Connect(NetServer a, int portA, NetServer b, int portB)
    {
        var cable = new NetCable
        {
            A = a,
            PortA = portA,
            B = b,
            PortB = portB,
        };
        Cables.Add(cable);
        a.Cables[portA] = cable;
        b.Cables[portB] = cable;
        return cable;
    }

    public NetCable CableAt(NetServer server, Link link) => server.Cables[server.PortOf(link)];

    public void Remove(NetCable cable)
    {
        Cables.Remove(cable);
        cable.A.Cables.Remove(cable.PortA);
        cable.B.Cables.Remove(cable.PortB);
    }

    public void Carry(NetServer from, int port, ReadOnlySpan<byte> frame)
    {
        Sent?.Invoke(from, port, frame.ToArray());
        if (
            !from.Cables.TryGetValue(port, out NetCable? cable)
            || !cable.Carries(from, port)
            || Random.NextDouble() < cable.Loss
        )
        {
            return;
        }

        (NetServer to, int toPort) = cable.From(from, port);
        Inject(to, toPort, frame, cable.DelayNanos);
    }

    /// <summary>A frame arrives at a port after a while, whoever sent it.</summary>
    public void Inject(NetServer to, int port, ReadOnlySpan<byte> frame, long delayNanos = 1_000) =>
        _frames.Enqueue((to, port, frame.ToArray()), (Now + delayNanos, _sequence++));

    /// <summary>Lets time pass until a condition holds. True if it did.</summary>
    public bool RunUntil(Func<bool> condition, double seconds)
    {
        long end = Now + (long)(seconds * Second);
        while (!condition())
        {
            if (!Step(end))
            {
                return condition();
            }
        }

        return true;
    }

    public void Run(double seconds) => RunUntil(() => false, seconds);

    /// <summary>Runs until every started server has its place, and then until every right cable is admitted.</summary>
    public bool RunUntilAdmitted(double seconds) =>
        RunUntil(
            () => Servers.All(s => s.Place is { } place && s.Protocol!.Admitted == Shape.CabledLinks(place)),
            seconds
        );

    private bool Step(long end)
    {
        long next = _frames.TryPeek(out _, out (long At, long) first) ? first.At : long.MaxValue;
        foreach (NetServer server in Servers)
        {
            next = Math.Min(next, server.Protocol is { } protocol ? protocol.Deadline : server.StartAt);
        }

        if (next > end)
        {
            Now = end;
            return false;
        }

        Now = Math.Max(Now, next);
        while (
            _frames.TryPeek(out (NetServer To, int Port, byte[] Frame) frame, out (long At, long) due) && due.At <= Now
        )
        {
            _frames.Dequeue();
            if (frame.To is { IsDeaf: false, Protocol: { } protocol })
            {
                protocol.FrameArrived(frame.Port, frame.Frame, Now);
            }
        }

        foreach (NetServer server in Servers)
        {
            if (server.Protocol is null && server.StartAt <= Now)
            {
                server.Start();
            }

            if (server.Protocol is { } protocol && protocol.Deadline <= Now)
            {
                protocol.Run(Now, server);
            }
        }

        return true;
    }
}
