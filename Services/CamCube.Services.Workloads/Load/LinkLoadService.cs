namespace CamCube.Services.Workloads.Load;

/// <summary>
/// A sender that always has a packet for each of its server's links, as DiagnosticsService's load: several of them on
/// one link show how a link is shared (HPDC §3.3). Not loaded unless the configuration names it. Command <c>load</c>:
/// <c>size</c> (bytes of body), <c>for</c> (how long; 0s ends it). On the server's loop.
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
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<LinkLoadArguments, CommandResult>(
                "load",
                "Keeps all links busy with packets to the neighbours.",
                LoadAsync,
                changes: true
            ),
        ];

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) =>
        hop.IsDestination ? Verdict.Consume : Verdict.Forward;

    /// <inheritdoc/>
    public Packet? OnPoll(Link link)
    {
        if (!_server.Packets.TryRent(_length, out Packet? packet))
        {
            return null;
        }

        packet.Destination = _server.Topology.Neighbour(link);
        return packet;
    }

    private ValueTask<CommandResult> LoadAsync(LinkLoadArguments arguments, CommandContext context)
    {
        if (
            !LoadSize.TryGet(
                arguments.Size,
                LinkLoadArguments.UsualSize,
                _server.Packets.MaxPayload,
                out int size,
                out CommandResult refusal
            )
        )
        {
            return new(refusal);
        }

        (long run, _length) = (++_run, size);
        _turn.Ready = arguments.For > TimeSpan.Zero ? _server.Shape.CabledLinks(_server.Coordinate) : LinkSet.None;
        _server.Loop.Run(() => EndAsync(run, arguments.For));
        return new(CommandResult.Done);
    }

    private async ValueTask EndAsync(long run, TimeSpan after)
    {
        if (await _server.DelayAsync(after) && run == _run)
        {
            _turn.Ready = LinkSet.None;
        }
    }
}
