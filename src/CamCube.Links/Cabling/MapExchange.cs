namespace CamCube.Cabling;

/// <summary>Fetches a map from a neighbour that has one, part by part, and gives parts of the own one away. Loop
/// only.</summary>
internal sealed class MapExchange(CablingState state, PlaceFinder finder)
{
    /// <summary>Most identities in one part.</summary>
    public const int MostServers = 150;

    private const int MostRejected = 8;
    private readonly List<MapEpoch> _rejected = [];
    private ServerId[] _servers = [];
    private MapEpoch _epoch;
    private int _from = -1;
    private int _have;
    private int _maxFrame;
    private long _askAgain;

    /// <summary>When <see cref="Run"/> is wanted at the latest.</summary>
    public long Deadline { get; private set; } = long.MaxValue;

    /// <summary>The port on which a part is to be asked for now, or -1.</summary>
    public int AskingPort { get; private set; } = -1;

    /// <summary>Chooses whom to ask.</summary>
    public void Run(long now)
    {
        AskingPort = -1;
        Deadline = long.MaxValue;
        if (state.Map is not null || state.Setup.Coordinate is not null || Oldest() is not (>= 0 and var port))
        {
            _from = -1;
            return;
        }

        MapEpoch epoch = state.Ports[port].Hello!.Map!.Value;
        if (port != _from || epoch != _epoch)
        {
            (_from, _epoch, _have, _askAgain, _servers) = (port, epoch, 0, now, new ServerId[state.Setup.Shape.Count]);
        }

        if (now >= _askAgain)
        {
            AskingPort = port;
        }

        Deadline = _askAgain;
    }

    /// <summary>Writes the request for the next part.</summary>
    public int WriteRequest(Span<byte> buffer, in ControlHeader header, long now)
    {
        ControlWriter writer = ControlHeader.Begin(buffer, header with { Kind = ControlKind.MapRequest });
        writer.Epoch(_epoch);
        writer.UInt32(_have);
        _askAgain = now + CablingState.Nanos(state.Options.Retry);
        return ControlHeader.End(writer);
    }

    /// <summary>A neighbour wants a part of the map.</summary>
    public void TakeRequest(PortState port, ref ControlReader reader)
    {
        MapEpoch epoch = reader.Epoch();
        uint from = reader.UInt32();
        if (!reader.Failed && state.Map is { } map && epoch == map.Epoch && from < map.Servers.Count)
        {
            port.WantedRank = (int)from;
        }
    }

    /// <summary>Writes the part that was asked for.</summary>
    public int WritePart(Span<byte> buffer, in ControlHeader header, int from)
    {
        CablingMap map = state.Map!;
        int count = Math.Min(MostServers, map.Servers.Count - from);
        ControlWriter writer = ControlHeader.Begin(buffer, header with { Kind = ControlKind.MapPart });
        writer.Epoch(map.Epoch);
        writer.UInt16(map.MaxFrameLength);
        writer.UInt32(from);
        writer.UInt16(count);
        for (int i = 0; i < count; i++)
        {
            writer.UInt64(map.Servers[from + i].Value);
        }

        return ControlHeader.End(writer);
    }

    /// <summary>A part came.</summary>
    public void TakePart(int port, ref ControlReader reader)
    {
        MapEpoch epoch = reader.Epoch();
        int maxFrame = reader.UInt16();
        uint from = reader.UInt32();
        int count = reader.UInt16();
        if (
            reader.Failed
            || port != _from
            || epoch != _epoch
            || from != _have
            || count == 0
            || count > _servers.Length - _have
        )
        {
            return;
        }

        int have = _have;
        for (int i = 0; i < count; i++)
        {
            _servers[have++] = reader.Id();
        }

        if (reader.Failed)
        {
            return;
        }

        (_have, _maxFrame, _askAgain, Deadline) = (have, maxFrame, 0, 0);
        if (_have == _servers.Length)
        {
            Finish();
        }
    }

    private void Finish()
    {
        var map = new CablingMap(state.Setup.ClusterId, state.Setup.Shape, _epoch, _maxFrame, _servers);
        (_from, _servers) = (-1, []);
        if (
            new HashSet<ServerId>(map.Servers).Count == map.Servers.Count
            && map.PlaceOf(state.Setup.Server) is not null
        )
        {
            finder.Take(map);
            return;
        }

        if (_rejected.Count == MostRejected)
        {
            _rejected.RemoveAt(0);
        }

        _rejected.Add(_epoch);
        (state.MapWithoutUs, state.IsLookStale) = (map, true);
    }

    /// <summary>The port whose neighbour has the oldest map that is not known to be without this server.</summary>
    private int Oldest()
    {
        int oldest = -1;
        for (int i = 0; i < state.Ports.Length; i++)
        {
            if (
                state.Ports[i] is { HearsServer: true, Link: not null, Hello.Map: { } epoch }
                && !_rejected.Contains(epoch)
                && (oldest < 0 || epoch.CompareTo(state.Ports[oldest].Hello!.Map!.Value) < 0)
            )
            {
                oldest = i;
            }
        }

        return oldest;
    }
}
