using System.Globalization;

namespace CamCube.Cabling;

/// <summary>Says in words how the cabling is and what is waited for: in snapshots for any thread, and as news. Loop
/// only, except <see cref="Report"/>.</summary>
internal sealed class CablingWatch
{
    private readonly CablingState _state;
    private readonly CablingSetup _setup;
    private readonly NewsDesk _news;
    private List<NewsItem> _texts = [];
    private volatile CablingReport _report;
    private long _nextLook;

    public CablingWatch(CablingState state)
    {
        (_state, _setup) = (state, state.Setup);
        _news = new NewsDesk(
            _setup.News,
            CablingState.Nanos(state.Options.NewsDelay),
            CablingState.Nanos(state.Options.Reminder)
        );
        _report = Snapshot(new CablingChart(_setup.Shape, [], state.Map), [], null, default);
    }

    /// <summary>The last snapshot. Any thread.</summary>
    public CablingReport Report => _report;

    /// <summary>When <see cref="Run"/> is wanted at the latest.</summary>
    public long Deadline => Math.Min(_state.IsLookStale ? _nextLook : long.MaxValue, _news.Deadline);

    /// <summary>Looks, if there may be something new, and tells what is due.</summary>
    public void Run(long now, LinkSet admitted)
    {
        // A server that has its place begins to serve, and is not to be told to search for it.
        bool isLook = (_state.IsLookStale && now >= _nextLook) || _state.Place != _report.Coordinate;
        if (isLook)
        {
            _state.IsLookStale = false;
            _nextLook = now + _state.Spaced(CablingState.Nanos(_state.Options.LookSpacing));
            Look(admitted);
        }

        if (isLook || now >= _news.Deadline)
        {
            _news.Update(_texts, now);
        }
    }

    private void Look(LinkSet admitted)
    {
        var chart = new CablingChart(_setup.Shape, _state.Book.Reachable, _state.Map ?? _state.MapWithoutUs);
        List<CablingFault> faults = [.. Diagnosis.Of(chart, _state.MaxFrame)];
        AddOwn(chart, faults);
        string? waiting = _state.Refusal ?? (_state.Place is null ? Waiting(chart) : null);
        _report = Snapshot(chart, faults, waiting, admitted);
        Tell(chart, faults, waiting);
    }

    /// <summary>Faults that only this server knows of.</summary>
    private void AddOwn(CablingChart chart, List<CablingFault> faults)
    {
        string subject = Diagnosis.Subject(chart, _setup.Server, null, null),
            id = _setup.Server.ToString();
        if (_state.StoreFault is { } fault)
        {
            faults.Add(
                new CablingFault(CablingFaultKind.State, id, _state.NamedPlace, null, null, $"{subject}: {fault}")
            );
        }

        foreach (PortState port in _state.Ports)
        {
            if (port is { Heard: CablingHeard.Nothing, Link: { } at, Foreign: { } foreign })
            {
                faults.Add(
                    new CablingFault(
                        CablingFaultKind.Foreign,
                        id,
                        _state.NamedPlace,
                        port.Port.Name,
                        at,
                        $"{Diagnosis.Subject(chart, _setup.Server, port.Port.Name, at)}: the cable carries "
                            + $"{foreign.Text}: not a CamCube cable?"
                    )
                );
            }

            if (
                port is { HearsServer: true, Link: { } link, Hello.MaxFrame: > 0 and var there }
                && _state.MaxFrame > 0
                && there != _state.MaxFrame
            )
            {
                // More than what the two ports say of each other.
                faults.RemoveAll(f =>
                    f.Kind == CablingFaultKind.FrameLength && f.ServerId == id && f.Port == port.Port.Name
                );
                faults.Add(
                    new CablingFault(
                        CablingFaultKind.FrameLength,
                        id,
                        _state.NamedPlace,
                        port.Port.Name,
                        link,
                        $"{Diagnosis.Subject(chart, _setup.Server, port.Port.Name, link)}: "
                            + $"{chart.NameOf(port.From.Server)} uses frames of at most {there} bytes, "
                            + $"this one {_state.MaxFrame}, so the cable carries nothing. Start the one that joined "
                            + $"later again"
                    )
                );
            }
        }

        if (_state.HasTwin)
        {
            faults.Add(
                new CablingFault(
                    CablingFaultKind.SameIdentity,
                    id,
                    _state.NamedPlace,
                    null,
                    null,
                    $"{subject}: another process has this identity. If its StateDirectory is a copy, "
                        + $"stop one of the two for good"
                )
            );
        }
    }

    private void Tell(CablingChart chart, List<CablingFault> faults, string? waiting)
    {
        var texts = new List<NewsItem>();
        string id = _setup.Server.ToString();
        foreach (CablingFault fault in faults)
        {
            // A server that is absent is a matter of its neighbours.
            bool isOurs =
                fault.ServerId == id
                || (
                    fault.Kind == CablingFaultKind.ServerAbsent
                    && _state.Place is { } place
                    && fault.Coordinate is { } absent
                    && _setup.Shape.Distance(place, absent) == 1
                );
            if (isOurs)
            {
                string about =
                    fault.Kind == CablingFaultKind.ServerAbsent
                        ? $"absent {fault.Coordinate}"
                        : $"{fault.Port} {fault.Kind}";
                texts.Add(new NewsItem(about, fault.Text, true, false));
            }
        }

        foreach (PortState port in _state.Ports)
        {
            if (port is { Link: null, Heard: not CablingHeard.Nothing })
            {
                string heard = Diagnosis.HeardOn(chart, port.Report(_setup.Server, _setup.BootNonce));
                texts.Add(
                    new NewsItem(
                        $"heard {port.Port.Number}",
                        $"{Diagnosis.Subject(chart, _setup.Server, port.Port.Name, null)}: {heard}",
                        false,
                        false
                    )
                );
            }
        }

        if (waiting is not null)
        {
            string subject = Diagnosis.Subject(chart, _setup.Server, null, null);
            texts.Add(new NewsItem("waiting", $"{subject}: {waiting}", _state.Refusal is not null, true));
        }

        _texts = texts;
    }

    /// <summary>Why this server has no place yet.</summary>
    private string? Waiting(CablingChart chart)
    {
        int count = _setup.Shape.Count,
            heard = chart.Servers.Count;
        if (_state.StoreFault is { } fault)
        {
            return $"waiting: {fault}";
        }

        if (_setup.Coordinate is not null)
        {
            return $"waiting a moment for the others' largest frames: {heard} of {count} servers are heard";
        }

        if (_state.MapWithoutUs is not null)
        {
            return "waiting: it has no place in the cube that it is cabled to";
        }

        foreach (ServerReport server in chart.Servers)
        {
            if (server.IsFixed)
            {
                return $"waiting: server {server.Server.Short} has a fixed coordinate, {server.Coordinate}. "
                    + $"CamCube:Coordinate is set on all servers or on none";
            }
        }

        int placed = 0;
        foreach (ServerReport server in chart.Servers)
        {
            placed += chart.PlaceOf(server.Server) is null ? 0 : 1;
        }

        string what =
            heard < count ? $"{heard} of {count} servers are heard"
            : placed < count ? $"{heard} servers are heard, but their cables give a place to only {placed} of {count}"
            : $"all {count} servers are heard; the map is made as soon as nothing has changed for "
                + $"{_state.Options.Settle.TotalSeconds.ToString("0.#", CultureInfo.InvariantCulture)} s";
        return $"waiting for its place: {what}{OpenEnds(chart)}";
    }

    /// <summary>Where cables or servers are missing, a few of them.</summary>
    private static string OpenEnds(CablingChart chart)
    {
        const int MostNamed = 4;
        var names = new List<string>();
        int open = 0;
        foreach (ServerReport server in chart.Servers)
        {
            foreach (PortReport port in server.Ports)
            {
                if (
                    port is { Link: { } link, Heard: CablingHeard.Nothing }
                    && chart.Shape[link.Axis()] > 1
                    && ++open <= MostNamed
                )
                {
                    names.Add($"{chart.NameOf(server.Server)} port {port.Name} ({link.Name()})");
                }
            }
        }

        return open == 0
            ? ""
            : $"; nothing is heard on "
                + $"{string.Join(", ", names)}{(open > MostNamed ? $" and {open - MostNamed} more" : "")}";
    }

    private CablingReport Snapshot(
        CablingChart chart,
        IReadOnlyList<CablingFault> faults,
        string? waiting,
        LinkSet admitted
    )
    {
        var servers = new List<CablingServer>(chart.Servers.Count);
        int ends = 0;
        foreach (ServerReport server in chart.Servers)
        {
            foreach (PortReport port in server.Ports)
            {
                ends +=
                    port is { IsAdmitted: true }
                    && chart.ReportOf(port.Peer)?.PortOf(port.PeerLink) is { IsAdmitted: true }
                        ? 1
                        : 0;
            }

            servers.Add(
                new CablingServer(
                    server.Server.ToString(),
                    server.Coordinate,
                    server.IsFixed,
                    server.IsRefusing,
                    [.. PortsOf(server, chart)]
                )
            );
        }

        servers.Sort((a, b) => (Rank(a), a.ServerId).CompareTo((Rank(b), b.ServerId)));
        return new CablingReport
        {
            ClusterId = _setup.ClusterId,
            Shape = _setup.Shape,
            ServerId = _setup.Server.ToString(),
            Coordinate = _state.Place,
            Phase =
                _state.Refusal is not null ? CablingPhase.Refusing
                : _state.Place is null ? CablingPhase.Searching
                : CablingPhase.Placed,
            Waiting = waiting,
            MaxFrameLength = _state.MaxFrame,
            MapEpochMillis = _state.Map?.Epoch.UnixMillis,
            MapMaker = _state.Map?.Epoch.Maker.ToString(),
            AdmittedLinks = admitted.Count,
            ExpectedLinks = ExpectedLinks().Count,
            WorkingCables = ends / 2,
            ExpectedCables = Placement.CablesOf(_setup.Shape),
            Servers = servers,
            Faults = faults,
        };
    }

    private int Rank(CablingServer server) =>
        server.Coordinate is { } place && _setup.Shape.Contains(place) ? _setup.Shape.RankOf(place) : int.MaxValue;

    private LinkSet ExpectedLinks()
    {
        if (_state.Place is { } place)
        {
            return _setup.Shape.CabledLinks(place);
        }

        LinkSet links = default;
        foreach (PortState port in _state.Ports)
        {
            links |= port.Link is { } link && _setup.Shape[link.Axis()] > 1 ? link : default(LinkSet);
        }

        return links;
    }

    private IEnumerable<CablingPort> PortsOf(ServerReport server, CablingChart chart)
    {
        // A report has no room for many ports; of its own a server knows them all.
        if (server.Server == _setup.Server)
        {
            return _state.Ports.Select(port =>
                PortOf(port.Report(_setup.Server, _setup.BootNonce), chart) with
                {
                    Foreign = port.Foreign,
                }
            );
        }

        return server.Ports.Select(port => PortOf(port, chart));
    }

    private static CablingPort PortOf(PortReport port, CablingChart chart) =>
        new(port.Name, port.Link, port.IsUp, port.MaxFrame, port.IsAdmitted, port.Heard)
        {
            PeerServerId = port.Heard == CablingHeard.Nothing ? null : port.Peer.ToString(),
            PeerCoordinate = port.HearsServer ? chart.PlaceOf(port.Peer) : null,
            PeerLink = port.Heard == CablingHeard.Nothing ? null : port.PeerLink,
            PeerPort = port.Heard == CablingHeard.Nothing ? null : port.PeerPort,
            IsMutual = port.IsMutual,
            Detail = port.Detail.Length == 0 ? null : port.Detail,
        };
}
