namespace CamCube.Services.Workloads.Load;

/// <summary>
/// Packets that go round the cube as long as they are wanted: by base routing from one destination to the next, or by F
/// with one to three neighbours' keys, any of which will do (SIGCOMM Fig. 6). With enough of them all links are busy
/// all the time. Not loaded unless the configuration names it. Command <c>load</c>: <c>keys</c> (0: base routing),
/// <c>packets</c> (how many this server adds), <c>size</c> (bytes of body), <c>for</c> (from now; 0s ends it: what
/// arrives is consumed). On the server's loop.
/// </summary>
[CamCubeService(0x0106, "routed-load")]
public sealed class RoutedLoadService : ExtendedService, IServiceCommands
{
    private const int MostKeys = 3;
    private readonly LinkSet[][] _setsByKeys;
    private readonly Counter _lost;
    private bool _isOn;
    private int _keys;
    private int _turn;
    private uint _state;
    private long _run;

    /// <summary>A service for one server.</summary>
    public RoutedLoadService(IServer server)
        : base(server)
    {
        _setsByKeys = [.. Enumerable.Range(0, MostKeys + 1).Select(keys => SetsOf(keys, server))];
        _state = (uint)server.Shape.RankOf(server.Coordinate) + 1;
        _lost = server.Counters.Create("load.lost", "{packet}");
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<RoutedLoadArguments, CommandResult>(
                "load",
                "Sends packets round the cube, by F with so many keys or by base routing.",
                LoadAsync,
                changes: true
            ),
        ];

    /// <inheritdoc/>
    protected override void NextKeys(in RoutingPoint at, Packet packet, ref KeySet keys)
    {
        if (!_isOn || _keys == 0)
        {
            keys.Kind = KeySetKind.Here;
            return;
        }

        packet.HopLimit = ushort.MaxValue;
        LinkSet[] sets = _setsByKeys[_keys];
        _turn = (_turn + 1) % sets.Length;
        at.AddNeighbours(sets[_turn], ref keys);
    }

    /// <inheritdoc/>
    protected override Verdict OnArrived(in RoutingPoint at, Packet packet)
    {
        if (!_isOn)
        {
            return Verdict.Consume;
        }

        // By chance at the destination that Route wants: the next one.
        if (SendOn(packet) != SendResult.Accepted)
        {
            _lost.Add();
        }

        return Verdict.Taken;
    }

    /// <inheritdoc/>
    protected override Verdict OnBasePacket(in HopContext hop, Packet packet)
    {
        if (!_isOn)
        {
            return Verdict.Consume;
        }

        if (hop.IsDestination)
        {
            packet.Destination = Next();
            packet.HopLimit = ushort.MaxValue;
        }

        return Verdict.Forward;
    }

    private ValueTask<CommandResult> LoadAsync(RoutedLoadArguments arguments, CommandContext context)
    {
        // A key per axis that has cables: two neighbours on one axis would make two of the sets of one key.
        int mostKeys = Enumerable.Range(0, MostKeys + 1).Last(keys => _setsByKeys[keys].Length > 0);
        if (arguments.Keys > mostKeys)
        {
            return new(
                CommandResult.Refused($"keys={arguments.Keys} is more than the {mostKeys} axes that have cables here.")
            );
        }

        int most = Server.Packets.MaxPayload - ExtendedHeader.Length;
        if (
            !LoadSize.TryGet(
                arguments.Size,
                RoutedLoadArguments.UsualSize,
                most,
                out int size,
                out CommandResult refusal
            )
        )
        {
            return new(refusal);
        }

        long run = ++_run;
        (_isOn, _keys) = (arguments.For > TimeSpan.Zero, arguments.Keys);
        for (int i = 0; i < arguments.Packets && _isOn; i++)
        {
            if (!Server.Packets.TryRent(size, out Packet? packet) || SendOn(packet) != SendResult.Accepted)
            {
                _lost.Add();
            }
        }

        Server.Loop.Run(() => EndAsync(run, arguments.For));
        return new(CommandResult.Done);
    }

    private SendResult SendOn(Packet packet) => _keys == 0 ? Server.Send(packet, Next()) : Route(packet, Next());

    private async ValueTask EndAsync(long run, TimeSpan after)
    {
        if (await Server.DelayAsync(after) && run == _run)
        {
            _isOn = false;
        }
    }

    // Another destination than this server, by a cheap stream: what it costs must not hide what routing costs.
    private Coordinate Next()
    {
        _state = (_state * 1_664_525) + 1_013_904_223;
        int others = Server.Shape.Count - 1,
            step = 1 + (int)((ulong)_state * (uint)others >> 32);
        return Server.Shape.At((Server.Shape.RankOf(Server.Coordinate) + step) % Server.Shape.Count);
    }

    // All sets of one link from each of so many axes, in an order of the server's own.
    private static LinkSet[] SetsOf(int keys, IServer server)
    {
        LinkSet cabled = server.Shape.CabledLinks(server.Coordinate);
        LinkSet[] sets =
        [
            .. Enumerable
                .Range(1, 63)
                .Select(bits => new LinkSet((byte)bits))
                .Where(set =>
                    set.Count == keys
                    && (set - cabled).IsEmpty
                    && Enumerable.Range(0, 3).All(axis => (set.Bits >> (2 * axis) & 3) != 3)
                ),
        ];
        server.Random.Create("links").Shuffle(sets);
        return sets;
    }
}
