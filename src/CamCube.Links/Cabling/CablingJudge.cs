namespace CamCube.Cabling;

/// <summary>Says which links carry packets, and whether this server takes part at all. Loop only.</summary>
internal sealed class CablingJudge(CablingState state)
{
    private readonly CablingSetup _setup = state.Setup;
    private ServerId? _rival;
    private long _rivalSince;

    /// <summary>When <see cref="Run"/> is wanted at the latest.</summary>
    public long Deadline { get; private set; } = long.MaxValue;

    /// <summary>Whether a port's cable leads to the server that belongs there, both directions work, and both have the
    /// same cube in mind.
    /// </summary>
    public bool Admits(PortState port)
    {
        if (
            port.Link is not { } link
            || state.Place is not { } place
            || state.Refusal is not null
            || !port.IsUp
            || !port.HearsServer
        )
        {
            return false;
        }

        Hello hello = port.Hello!;
        Coordinate there = _setup.Shape.Step(place, link);
        return _setup.Shape.CabledLinks(place).Contains(link)
            && port.From.Link == (int)link.Opposite()
            && hello.Coordinate == there
            && port.IsMutual(_setup.Server, _setup.BootNonce)
            && IsSameMap(hello, port.From.Server, there)
            && Fits(port, hello);
    }

    /// <summary>Looks for reasons to take part in nothing.</summary>
    public void Run(long now)
    {
        Deadline = long.MaxValue;
        string? refusal = OlderMap() ?? Rival(now);
        if (refusal != state.Refusal)
        {
            state.Refusal = refusal;
            state.HelloSoon(now);
        }
    }

    /// <summary>Two maps never share a link. A server with a fixed coordinate may stand for the one that the map
    /// names.</summary>
    private bool IsSameMap(Hello hello, ServerId server, Coordinate there) =>
        state.Map is not { } map
        || (
            hello.Map is { } other
                ? other == map.Epoch && map.Servers[_setup.Shape.RankOf(there)] == server
                : hello.IsFixed
        );

    /// <summary>Whether both ends use the same longest frame, and it fits both ports. A server that uses shorter ones
    /// could not pass on what the other one sends.</summary>
    private bool Fits(PortState port, Hello hello) =>
        state.MaxFrame == hello.MaxFrame && state.MaxFrame <= Math.Min(port.MaxFrame, hello.PortMaxFrame);

    /// <summary>The older map wins. One stray old server among many of the own map is left out instead: its links are
    /// never admitted.</summary>
    private string? OlderMap()
    {
        if (state.Map is not { } map)
        {
            return null;
        }

        int same = 0,
            older = 0;
        PortState? first = null;
        foreach (PortState port in state.Ports)
        {
            if (port is { HearsServer: true, Link: not null, Hello.Map: { } other })
            {
                int order = other.CompareTo(map.Epoch);
                same += order == 0 ? 1 : 0;
                older += order < 0 ? 1 : 0;
                first = first is null && order < 0 ? port : first;
            }
        }

        return older == 0 || same > older
            ? null
            : $"its map was made {map.Epoch}, and that of server {first!.From.Server.Short} behind port "
                + $"{first.Port.Name} "
                + $"({first.Link!.Value.Name()}) is older, made {first.Hello!.Map}: it takes part in nothing. "
                + $"To let it join the older cube, stop it "
                + "and give it a copy of the StateDirectory of the server that it replaces, or set CamCube:Coordinate";
    }

    /// <summary>Of two servers with one coordinate the later one takes part in nothing.</summary>
    private string? Rival(long now)
    {
        ServerReport? own = state.Book.Find(_setup.Server),
            rival = null;
        if (state.NamedPlace is { } place && own is not null)
        {
            foreach (ServerReport server in state.Book.Reachable)
            {
                if (server.Coordinate == place && server.Server != _setup.Server && Diagnosis.IsYounger(own, server))
                {
                    rival = server;
                    break;
                }
            }
        }

        if (rival is null || rival.Server != _rival)
        {
            (_rival, _rivalSince) = (rival?.Server, now);
        }

        if (rival is null)
        {
            return null;
        }

        long patience = _rivalSince + CablingState.Nanos(state.Options.ClaimPatience);
        if (now < patience)
        {
            Deadline = patience;
            return state.Refusal is { } refusal && refusal == RivalText(rival) ? refusal : null;
        }

        return RivalText(rival);
    }

    private string RivalText(ServerReport rival) =>
        $"server {rival.Server.Short} has the coordinate {state.NamedPlace} too and was started earlier: "
        + $"it takes part in nothing. "
        + "Give one of the two another coordinate, or stop one of them for good";
}
