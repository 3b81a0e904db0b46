namespace CamCube.Runtime.Tests.Extended;

/// <summary>An extended-routing service whose F is a test's.</summary>
internal sealed class FunctionService : ExtendedService
{
    private readonly FunctionScript _script;

    public FunctionService(IServer server, FunctionScript script)
        : base(server)
    {
        _script = script;
        script.Running[server.Shape.RankOf(server.Coordinate)] = this;
    }

    public IServer Here => Server;

    public int Evaluations { get; private set; }

    public int Arrivals { get; private set; }

    public long Count { get; set; }

    public Packet Rent(int body = 0)
    {
        Assert.True(Server.Packets.TryRent(body, out Packet? packet));
        return packet;
    }

    public SendResult Launch(Destination to) => Route(Rent(), to);

    public SendResult Launch(Packet packet, Destination to) => Route(packet, to);

    public SendResult LaunchSpread(Key vertex, int body = 0) => Spread(Rent(body), vertex);

    protected override void NextKeys(in RoutingPoint at, Packet packet, ref KeySet keys)
    {
        Evaluations++;
        if (!_script.Silent)
        {
            _script.Way.Add(FunctionScript.Name(at));
        }

        keys = _script.Next(this, at, packet);
    }

    protected override Verdict OnArrived(in RoutingPoint at, Packet packet)
    {
        Arrivals++;
        if (!_script.Silent)
        {
            _script.Ends.Add(FunctionScript.Name(at));
            _script.Hops += Server.Packets.DefaultHopLimit - packet.HopLimit;
        }

        return _script.Arrived is { } act ? act(this, at, packet) : Verdict.Consume;
    }

    protected override Verdict OnBasePacket(in HopContext hop, Packet packet) =>
        _script.Base is { } act ? act(this, hop, packet) : base.OnBasePacket(hop, packet);
}
