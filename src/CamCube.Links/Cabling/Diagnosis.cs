namespace CamCube.Cabling;

/// <summary>What is wrong with the cabling, in plain words (docs/cabling.md, words). A pure function of what is
/// known.</summary>
internal sealed class Diagnosis
{
    private readonly CablingChart _chart;
    private readonly int _maxFrame;
    private readonly List<CablingFault> _faults = [];
    private readonly HashSet<Coordinate> _absent = [];

    private Diagnosis(CablingChart chart, int maxFrame) => (_chart, _maxFrame) = (chart, maxFrame);

    /// <summary>The faults, in the order of the servers.</summary>
    /// <param name="chart">What is known.</param>
    /// <param name="maxFrame">Largest frame that the cube uses; 0 as long as that is open.</param>
    public static IReadOnlyList<CablingFault> Of(CablingChart chart, int maxFrame)
    {
        var diagnosis = new Diagnosis(chart, maxFrame);
        foreach (ServerReport server in chart.Servers)
        {
            diagnosis.Check(server);
        }

        return diagnosis._faults;
    }

    /// <summary>"server 4f2c9e01 (1,1,2) port eth3 (+y)".</summary>
    public static string Subject(CablingChart chart, ServerId server, string? port, Link? link)
    {
        string place = chart.PlaceOf(server) is { } at ? $" ({at})" : "";
        string where = port is null
            ? ""
            : $" port {port}" + (link is { } known ? $" ({known.Name()})" : " (listened on only)");
        return $"server {server.Short}{place}{where}";
    }

    /// <summary>What is heard on a port that has no link.</summary>
    public static string HeardOn(CablingChart chart, PortReport port)
    {
        string from = $"port {port.PeerPort} ({port.PeerLink.Name()})";
        return port.Heard switch
        {
            CablingHeard.Server => $"heard {chart.NameOf(port.Peer)} port {port.PeerLink.Name()} ({port.PeerPort})",
            CablingHeard.OtherCluster => $"heard server {port.Peer.Short} {from} of another cluster, '{port.Detail}'",
            CablingHeard.OtherShape =>
                $"heard server {port.Peer.Short} {from}, which is set to the shape {port.Detail}",
            CablingHeard.OtherVersion => $"heard server {port.Peer.Short} {from}, which speaks {port.Detail}",
            CablingHeard.Itself => $"heard this server's own {from}",
            CablingHeard.SameIdentity => $"heard another process with this server's identity, {from}",
            CablingHeard.Several => "heard several servers in turn: a switch",
            _ => "heard nothing",
        };
    }

    private void Check(ServerReport server)
    {
        Coordinate? at = _chart.PlaceOf(server.Server);
        if (at is { } place && _chart.HolderOf(place) is { } holder && holder != server.Server)
        {
            CheckClaim(server, _chart.ReportOf(holder)!, place);
        }

        if (at is null && _chart.Map is { } map)
        {
            Add(
                CablingFaultKind.UnknownServer,
                server,
                null,
                $"it has no place in this cube, whose map was made {map.Epoch}. To put it into the place of a "
                    + $"server that is gone, give it a copy of "
                    + "that one's StateDirectory, or set CamCube:Coordinate"
            );
        }

        foreach (PortReport port in server.Ports)
        {
            if (port.Link is { } link)
            {
                Check(server, port, link, at);
            }
        }

        foreach (Link link in at is { } known ? _chart.Shape.CabledLinks(known) : default)
        {
            if (server.PortOf(link) is null)
            {
                Add(
                    CablingFaultKind.Missing,
                    server,
                    null,
                    $"it has no port for {link.Name()}, expected {Expected(at!.Value, link)}"
                );
            }
        }
    }

    private void CheckClaim(ServerReport server, ServerReport holder, Coordinate place)
    {
        // Both say it, each about the other.
        foreach ((ServerReport one, ServerReport other) in new[] { (server, holder), (holder, server) })
        {
            string outcome = IsYounger(one, other)
                ? "it started later and takes part in nothing"
                : "the other one started later and takes part in nothing";
            Add(
                CablingFaultKind.SameCoordinate,
                one,
                null,
                $"server {other.Server.Short} has the coordinate {place} too; {outcome}. Give one of them another place"
            );
        }
    }

    /// <summary>Of two servers with one coordinate the one that started later gives in.</summary>
    public static bool IsYounger(ServerReport one, ServerReport other) =>
        one.BootMillis != other.BootMillis ? one.BootMillis > other.BootMillis : one.Server.CompareTo(other.Server) > 0;

    private void Check(ServerReport server, PortReport port, Link link, Coordinate? at)
    {
        bool belongs = at is { } place ? _chart.Shape.CabledLinks(place).Contains(link) : _chart.Shape[link.Axis()] > 1;
        string from = $"port {port.PeerPort} ({port.PeerLink.Name()})";
        switch (port.Heard)
        {
            case CablingHeard.Nothing when belongs:
                CheckSilence(server, port, link, at);
                break;
            case CablingHeard.OtherCluster:
                Add(
                    CablingFaultKind.OtherCluster,
                    server,
                    port,
                    $"cable leads to server {port.Peer.Short} {from} of another cluster, '{port.Detail}'"
                );
                break;
            case CablingHeard.OtherShape:
                Add(
                    CablingFaultKind.OtherShape,
                    server,
                    port,
                    $"cable leads to server {port.Peer.Short} {from}, which is set to the shape {port.Detail}, "
                        + $"here it is {ShapeText(_chart.Shape)}"
                );
                break;
            case CablingHeard.OtherVersion:
                Add(
                    CablingFaultKind.OtherVersion,
                    server,
                    port,
                    $"cable leads to server {port.Peer.Short} {from}, which speaks {port.Detail}; here it is cabling "
                        + $"{ControlHeader.OurVersion}, data {ControlHeader.OurWire}"
                );
                break;
            case CablingHeard.Itself:
                Add(
                    CablingFaultKind.Loop,
                    server,
                    port,
                    port.PeerLink == link
                        ? "what is sent comes back: a loop plug, or a switch"
                        : $"cable leads to this server's own {from}"
                );
                break;
            case CablingHeard.SameIdentity:
                Add(
                    CablingFaultKind.SameIdentity,
                    server,
                    port,
                    $"another process has the identity {server.Server}, {from}. If its StateDirectory is a copy, "
                        + $"stop one of the two for good"
                );
                break;
            case CablingHeard.Several:
                Add(
                    CablingFaultKind.SeveralServers,
                    server,
                    port,
                    "several servers are heard in turn; there has to be a cable, not a switch"
                );
                break;
            case CablingHeard.Server:
                CheckServer(server, port, link, at, belongs);
                break;
        }
    }

    private void CheckSilence(ServerReport server, PortReport port, Link link, Coordinate? at)
    {
        string carrier = port.IsUp ? "nothing is heard" : "no cable, or the other end is off";
        string arrives = _chart.HearerOf(server.Server, link) is { } hearer
            ? $"; what is sent arrives at {_chart.NameOf(hearer.Server.Server)} port {hearer.Port.Name}"
                + (hearer.Port.Link is { } known ? $" ({known.Name()})" : ", which has no link")
            : "";
        if (at is not { } place)
        {
            Add(
                CablingFaultKind.Missing,
                server,
                port,
                $"{carrier}, expected {link.Opposite().Name()} of another server{arrives}"
            );
            return;
        }

        Coordinate expected = _chart.Shape.Step(place, link);
        if (_chart.HolderOf(expected) is null && arrives.Length == 0)
        {
            if (_absent.Add(expected))
            {
                string id = _chart.Map is { } map ? map.Servers[_chart.Shape.RankOf(expected)].Short : "";
                _faults.Add(
                    new CablingFault(
                        CablingFaultKind.ServerAbsent,
                        _chart.Map?.Servers[_chart.Shape.RankOf(expected)].ToString() ?? "",
                        expected,
                        null,
                        null,
                        $"server {(id.Length > 0 ? $"{id} ({expected})" : expected.ToString())}: "
                            + $"heard on none of its cables"
                    )
                );
            }
        }
        else
        {
            Add(CablingFaultKind.Missing, server, port, $"{carrier}, expected {Expected(place, link)}{arrives}");
        }
    }

    private void CheckServer(ServerReport server, PortReport port, Link link, Coordinate? at, bool belongs)
    {
        string leads = $"cable leads to {_chart.NameOf(port.Peer)} port {port.PeerLink.Name()}";
        ServerReport? peer = _chart.ReportOf(port.Peer);
        if (!belongs)
        {
            Add(
                CablingFaultKind.NotExpected,
                server,
                port,
                $"{leads}, but no cable belongs here in a cube {ShapeText(_chart.Shape)}"
            );
        }
        else if (server.Map is { } ours && peer?.Map is { } theirs && ours != theirs)
        {
            Add(
                CablingFaultKind.OtherMap,
                server,
                port,
                $"cable leads to server {port.Peer.Short}, which belongs to a cube with "
                    + $"{(theirs.CompareTo(ours) < 0 ? "an older" : "a younger")} map, "
                    + $"made {theirs}; here it was made {ours}"
            );
        }
        else if (at is { } place && _chart.PlaceOf(port.Peer) is { } there)
        {
            if (there != _chart.Shape.Step(place, link) || port.PeerLink != link.Opposite())
            {
                bool isSecond = IsCabledRightly(server, place, port.Peer);
                Add(
                    isSecond ? CablingFaultKind.Doubled : CablingFaultKind.WrongCable,
                    server,
                    port,
                    $"{leads}, {(isSecond ? "a second cable to that server where one belongs, " : "")}expected "
                        + $"{Expected(place, link)}"
                );
            }
            else
            {
                CheckQuality(server, port, peer, leads);
            }
        }
        else if (
            port.PeerLink != link.Opposite()
            && !SingleCables.Join(_chart.Shape, server, peer, link, port.PeerLink)
        )
        {
            Add(
                CablingFaultKind.WrongCable,
                server,
                port,
                $"{leads}, expected {link.Opposite().Name()} of another server"
            );
        }
        else
        {
            CheckQuality(server, port, peer, leads);
        }
    }

    private void CheckQuality(ServerReport server, PortReport port, ServerReport? peer, string leads)
    {
        if (!port.IsMutual)
        {
            Add(CablingFaultKind.OneWay, server, port, $"{leads}, which does not hear this port: one direction only");
        }

        if (
            peer?.PortOf(port.PeerLink) is { } other
            && other.MaxFrame != port.MaxFrame
            && other.MaxFrame > 0
            && port.MaxFrame > 0
        )
        {
            int smaller = Math.Min(other.MaxFrame, port.MaxFrame);
            string outcome =
                _maxFrame == 0 || _maxFrame <= smaller
                    ? $"{(_maxFrame == 0 ? smaller : _maxFrame)} is used"
                    : $"the cube uses {_maxFrame}, so the cable carries nothing";
            Add(
                CablingFaultKind.FrameLength,
                server,
                port,
                $"MTU mismatch: the largest frame is {port.MaxFrame} bytes here and {other.MaxFrame} at "
                    + $"{_chart.NameOf(port.Peer)} port "
                    + $"{port.PeerLink.Name()}; {outcome}"
            );
        }
    }

    private bool IsCabledRightly(ServerReport server, Coordinate place, ServerId peer)
    {
        foreach (PortReport port in server.Ports)
        {
            if (
                port.Link is { } link
                && port.HearsServer
                && port.Peer == peer
                && port.PeerLink == link.Opposite()
                && _chart.PlaceOf(peer) == _chart.Shape.Step(place, link)
            )
            {
                return true;
            }
        }

        return false;
    }

    private string Expected(Coordinate place, Link link) =>
        $"{link.Opposite().Name()} of {_chart.Shape.Step(place, link)}";

    private static string ShapeText(TorusShape shape) =>
        $"{shape}{(shape.ParallelCables ? "" : " without parallel cables")}";

    private void Add(CablingFaultKind kind, ServerReport server, PortReport? port, string text) =>
        _faults.Add(
            new CablingFault(
                kind,
                server.Server.ToString(),
                _chart.PlaceOf(server.Server),
                port?.Name,
                port?.Link,
                $"{Subject(_chart, server.Server, port?.Name, port?.Link)}: {text}"
            )
        );
}
