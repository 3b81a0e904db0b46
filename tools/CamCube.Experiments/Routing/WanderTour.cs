namespace CamCube.Experiments.Routing;

/// <summary>The packets of a wandering service: each server starts some, and they never end.</summary>
/// <param name="server">The server.</param>
/// <param name="options">How many, and how large.</param>
internal sealed class WanderTour(IServer server, WanderOptions options)
{
    private readonly LinkSet[] _sets = SetsOf(options.Keys, server);
    private int _turn;
    private uint _state = (uint)server.Shape.RankOf(server.Coordinate) + 1;

    /// <summary>Another destination than this server.</summary>
    public Coordinate Next()
    {
        // A cheap stream of its own: what it costs must not hide what routing costs.
        _state = (_state * 1_664_525) + 1_013_904_223;
        int others = server.Shape.Count - 1,
            step = 1 + (int)((ulong)_state * (uint)others >> 32);
        return server.Shape.At((server.Shape.RankOf(server.Coordinate) + step) % server.Shape.Count);
    }

    /// <summary>Some links, other ones each time: as many as keys are measured.</summary>
    public LinkSet NextLinks()
    {
        _turn = _turn + 1 == _sets.Length ? 0 : _turn + 1;
        return _sets[_turn];
    }

    /// <summary>Sends the packets.</summary>
    public void Start(Action<Packet> send)
    {
        for (int i = 0; i < options.PacketsPerServer; i++)
        {
            if (server.Packets.TryRent(0, out Packet? packet))
            {
                packet.VirtualLength = options.PayloadLength;
                send(packet);
            }
        }
    }

    // All sets of one link from each of so many axes, in an order of the server's own.
    private static LinkSet[] SetsOf(int keys, IServer server)
    {
        LinkSet[] sets =
        [
            .. Enumerable
                .Range(1, 63)
                .Select(bits => new LinkSet((byte)bits))
                .Where(set =>
                    set.Count == keys && Enumerable.Range(0, 3).All(axis => (set.Bits >> (2 * axis) & 3) != 3)
                ),
        ];
        server.Random.Create("links").Shuffle(sets);
        return sets;
    }
}
