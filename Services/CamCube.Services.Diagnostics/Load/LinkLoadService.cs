namespace CamCube.Services.Diagnostics;

/// <summary>
/// A sender that always has a packet for each of its server's links, as DiagnosticsService's load: several of them on one link show how a
/// link is shared (HPDC §3.3). Not loaded unless the configuration names it. Command <c>load</c>: <c>size</c> (bytes of body), <c>for</c>
/// (seconds; 0 ends it). On the server's loop.
/// </summary>
public abstract class LinkLoadService : CamCubeService, IServiceCommands, IPacketSource
{
    private readonly IServer _server;
    private readonly IOutboundTurn _turn;
    private int _length;
    private long _run;

    /// <summary>A service for one server.</summary>
    protected LinkLoadService(IServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        _server = server;
        _turn = server.AddSource(this);
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands { get; } =
        [new("load", "Keeps all links busy with packets to the neighbours. [size=1472 (bytes of body)] [for=10 (s); 0 ends it]")];

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) => hop.IsDestination ? Verdict.Consume : Verdict.Forward;

    /// <inheritdoc/>
    public Packet? OnPoll(Link link)
    {
        if (!_server.TryRent(_length, out Packet? packet))
        {
            return null;
        }

        packet.Destination = _server.Topology.Neighbour(link);
        return packet;
    }

    /// <inheritdoc/>
    public ValueTask<CommandResult> RunCommandAsync(string command, IReadOnlyDictionary<string, string> arguments)
    {
        if (command != "load")
        {
            return new(new CommandResult(false, $"there is no command '{command}'; there is: load"));
        }

        if (!CommandNumbers.TryRead(arguments, "size", 1_472, 0, _server.MaxPayload, out int size, out string fault) ||
            !CommandNumbers.TryRead(arguments, "for", 10, 0, 3_600, out int seconds, out fault))
        {
            return new(new CommandResult(false, fault));
        }

        long run = ++_run;
        _length = size;
        _turn.Ready = seconds > 0 ? _server.Shape.CabledLinks(_server.Coordinate) : LinkSet.None;
        _server.Run(() => EndAsync(run, TimeSpan.FromSeconds(seconds)));
        return new(new CommandResult(true, "{}"));
    }

    private async ValueTask EndAsync(long run, TimeSpan after)
    {
        if (await _server.DelayAsync(after) && run == _run)
        {
            _turn.Ready = LinkSet.None;
        }
    }
}
