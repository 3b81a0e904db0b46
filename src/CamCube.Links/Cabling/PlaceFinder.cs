using CamCube.Linux;

namespace CamCube.Cabling;

/// <summary>Gives this server its place: from the settings, the stored map, a map that a neighbour has, or one that it
/// makes. Loop only.
/// </summary>
internal sealed class PlaceFinder(CablingState state)
{
    private const int SmallestFrame = 1_514;
    private const int LargestFrame = 9_014;
    private static readonly long PlacementSpacing = CablingState.Nanos(TimeSpan.FromMilliseconds(20));
    private readonly CablingSetup _setup = state.Setup;
    private static readonly long StoreLook = CablingState.Nanos(TimeSpan.FromMilliseconds(5));
    private CablingMap? _unstored;
    private Task? _writing;
    private long _writingSince;
    private long _retryAt;
    private ulong _lookedAt;
    private long _nextPlacement;
    private bool _isStillLooking;

    /// <summary>When <see cref="Run"/> is wanted at the latest.</summary>
    public long Deadline { get; private set; }

    /// <summary>A map came: its place is used as soon as it is stored.</summary>
    public void Take(CablingMap map)
    {
        _unstored ??= map;
        _retryAt = 0;
        Deadline = 0;
    }

    /// <summary>Does what can be done now.</summary>
    public void Run(long now)
    {
        Deadline = long.MaxValue;
        if (state.Place is not null)
        {
            return;
        }

        if (_setup.Coordinate is { } fixedPlace)
        {
            long patience = state.StartedAt + CablingState.Nanos(state.Options.FixedPatience);
            if (state.Map is null && now < patience && state.Book.Reachable.Count < _setup.Shape.Count)
            {
                Deadline = patience;
                return;
            }

            Place(fixedPlace, state.Map?.MaxFrameLength ?? UsedAlready() ?? SmallestOf(state.Book.Reachable), now);
        }
        else if (state.Map is { } map)
        {
            Place(map.PlaceOf(_setup.Server)!.Value, map.MaxFrameLength, now);
        }
        else if (_unstored is not null || TryMake(now))
        {
            Store(now);
        }
    }

    private void Store(long now)
    {
        if (_writing is null)
        {
            if (now < _retryAt)
            {
                Deadline = _retryAt;
                return;
            }

            _writing = _setup.Store?.WriteAsync(StateText.MapName, StateText.OfMap(_unstored!)) ?? Task.CompletedTask;
            _writingSince = now;
        }

        if (!_writing.IsCompleted)
        {
            if (now - _writingSince >= CablingState.Nanos(state.Options.SlowStore))
            {
                SayOfStore(
                    $"the map of the cube is still being written to {_setup.Store!.PathOf(StateText.MapName)}: "
                        + $"the disk is slow"
                );
            }

            Deadline = now + StoreLook;
            return;
        }

        Exception? fault = _writing.Exception?.InnerException;
        _writing = null;
        if (fault is not null)
        {
            _retryAt = Deadline = now + CablingState.Nanos(state.Options.Retry);
            SayOfStore(
                $"the map of the cube cannot be written to {_setup.Store!.PathOf(StateText.MapName)}: "
                    + $"{DiskError.Words(fault)}"
            );
            return;
        }

        (state.Map, state.StoreFault, _unstored) = (_unstored, null, null);
        Run(now);
    }

    private void SayOfStore(string fault)
    {
        state.IsLookStale |= state.StoreFault != fault;
        state.StoreFault = fault;
    }

    private void Place(Coordinate place, int maxFrame, long now)
    {
        state.TakePlace(place, Math.Clamp(maxFrame, SmallestFrame, LargestFrame));
        Deadline = long.MaxValue;
        state.HelloSoon(now);
    }

    /// <summary>Makes the map if the cabling tells all places and this server is the one to do it.</summary>
    private bool TryMake(long now)
    {
        IReadOnlyList<ServerReport> servers = state.Book.Reachable;
        if (servers.Count < _setup.Shape.Count || (!_isStillLooking && _lookedAt == state.Book.Digest))
        {
            return false;
        }

        foreach (ServerReport server in servers)
        {
            if (server.Map is not null || server.Coordinate is not null)
            {
                return false;
            }
        }

        if (now < _nextPlacement)
        {
            Deadline = _nextPlacement;
            return false;
        }

        _nextPlacement = now + state.Spaced(PlacementSpacing);
        (_lookedAt, _isStillLooking) = (state.Book.Digest, false);
        var placement = Placement.Of(_setup.Shape, servers);
        if (!placement.IsComplete || LowestPlaced(placement, servers) != _setup.Server)
        {
            return false;
        }

        bool isClean =
            placement.Cables == placement.ExpectedCables
            && placement.Contradictions == 0
            && servers.Count == _setup.Shape.Count;
        long settled = state.BookChangedAt + CablingState.Nanos(state.Options.Settle);
        if (!isClean && now < settled)
        {
            (Deadline, _isStillLooking) = (settled, true);
            return false;
        }

        _unstored = MapOf(placement, servers);
        return true;
    }

    private CablingMap MapOf(Placement placement, IReadOnlyList<ServerReport> servers)
    {
        var byRank = new ServerId[_setup.Shape.Count];
        var placed = new List<ServerReport>(byRank.Length);
        for (int i = 0; i < servers.Count; i++)
        {
            if (placement.Coordinates[i] is { } place)
            {
                byRank[_setup.Shape.RankOf(place)] = servers[i].Server;
                placed.Add(servers[i]);
            }
        }

        var epoch = new MapEpoch(_setup.UnixMillis(), _setup.Server);
        return new CablingMap(_setup.ClusterId, _setup.Shape, epoch, SmallestOf(placed), byRank);
    }

    private static ServerId LowestPlaced(Placement placement, IReadOnlyList<ServerReport> servers)
    {
        int first = Array.FindIndex(placement.Coordinates, static c => c is not null);
        return servers[first].Server;
    }

    /// <summary>The largest frame of the cube that is there already, if it is. Packets of that length come to every
    /// server, and one that could not pass them on would lose them: so it is taken, and a port that carries less
    /// carries nothing.</summary>
    private int? UsedAlready()
    {
        int used = 0;
        foreach (PortState port in state.Ports)
        {
            used = port is { HearsServer: true, Link: not null, Hello.MaxFrame: var there }
                ? Math.Max(used, there)
                : used;
        }

        return used > 0 ? used : null;
    }

    /// <summary>The largest frame that all ports of links carry. A port that is gone, or too small for any cube, does
    /// not count.</summary>
    private int SmallestOf(IReadOnlyList<ServerReport> servers)
    {
        int smallest = SmallestOwn();
        foreach (ServerReport server in servers)
        {
            foreach (PortReport port in server.Ports)
            {
                if (port.Link is { } link && _setup.Shape[link.Axis()] > 1 && port.MaxFrame >= SmallestFrame)
                {
                    smallest = Math.Min(smallest, port.MaxFrame);
                }
            }
        }

        return smallest;
    }

    private int SmallestOwn()
    {
        int smallest = LargestFrame;
        foreach (PortState port in state.Ports)
        {
            if (port.Link is { } link && _setup.Shape[link.Axis()] > 1 && port.MaxFrame >= SmallestFrame)
            {
                smallest = Math.Min(smallest, port.MaxFrame);
            }
        }

        return smallest;
    }
}
