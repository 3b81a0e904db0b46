using CamCube.Cables;

namespace CamCube.Cabling.Tests;

/// <summary>A server of a <see cref="CablingNet"/>: its protocol while it runs, and what survives it.</summary>
internal sealed class NetServer : ICablingSender
{
    private readonly CablingNet _net;

    public NetServer(CablingNet net, int index, ServerId id, Coordinate planned)
    {
        (_net, Index, Id, Planned) = (net, index, id, planned);
        Ports = [];
        for (int axis = 0; axis < 3; axis++)
        {
            Link[] links =
                net.Shape[axis] == 1 ? []
                : net is { OnlyPort: { } name, Shape.ParallelCables: false } && net.Shape[axis] == 2
                    ? [name(planned, axis)]
                : [Links.Of(axis, 1), Links.Of(axis, -1)];
            foreach (Link link in links)
            {
                Ports.Add(new CablePort(Ports.Count, $"eth{Ports.Count + 1}", link));
            }
        }
    }

    public int Index { get; }

    public ServerId Id { get; set; }

    /// <summary>Where it is cabled to be, up to translation.</summary>
    public Coordinate Planned { get; }

    public List<CablePort> Ports { get; }

    public Dictionary<int, NetCable> Cables { get; } = [];

    public Dictionary<int, int> MaxFrame { get; } = [];

    public MemoryStore Store { get; set; } = new();

    public string ClusterId { get; set; } = "camcube";

    public TorusShape? Shape { get; set; }

    public Coordinate? Fixed { get; set; }

    public long StartAt { get; set; }

    public CablingProtocol? Protocol { get; private set; }

    public List<LinkNews> News { get; } = [];

    /// <summary>What people were told needs mending, and that it is mended.</summary>
    public IReadOnlyList<LinkNews> Faults =>
        [.. News.Where(n => n.IsFault || n.Text.StartsWith("mended: ", StringComparison.Ordinal))];

    public int FramesSent { get; private set; }

    public bool IsDeaf { get; set; }

    public CablingReport Report => Protocol!.Report;

    public Coordinate? Place => Protocol is { } protocol && protocol.TryPlace(out Coordinate place) ? place : null;

    /// <summary>The port of a link, or the only one on its axis.</summary>
    public int PortOf(Link link) =>
        Ports.FindIndex(p => p.Link == link) is >= 0 and var port
            ? port
            : Ports.FindIndex(p => p.Link == link.Opposite());

    /// <summary>The link that a port is: of a server that runs, by its place.</summary>
    public Link LinkOf(int port) => (Protocol?.LinkOf(Ports[port]) ?? Ports[port].Link)!.Value;

    public void Start()
    {
        CablingMap? map = Store.Read(StateText.MapName) is { } text ? StateText.ReadMap(text, "memory") : null;
        Protocol = new CablingProtocol(
            new CablingSetup
            {
                ClusterId = ClusterId,
                Shape = Shape ?? _net.Shape,
                Server = Id,
                BootNonce = (ulong)_net.Random.NextInt64(),
                Coordinate = Fixed,
                Map = map,
                Store = Store,
                Jitter = new Random(_net.Random.Next()),
                UnixMillis = () => _net.UnixMillis,
                News = News.Add,
                Options = _net.Options,
            },
            Ports
        );
        foreach (CablePort port in Ports)
        {
            Protocol.PortChanged(port.Number, isUp: true, MaxFrame.GetValueOrDefault(port.Number, 9_014), 0);
        }
    }

    /// <summary>Power off; what is stored stays.</summary>
    public void Stop() => Protocol = null;

    public bool TrySend(int port, ReadOnlySpan<byte> frame)
    {
        FramesSent++;
        _net.Carry(this, port, frame);
        return true;
    }

    public override string ToString() => $"{Id.Short} planned {Planned} at {Place}";
}
