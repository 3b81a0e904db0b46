using System.Diagnostics.Metrics;
using CamCube.Runtime.Cubes;

namespace CamCube.Hosting.Observing;

/// <summary>
/// Publishes the counters of the servers as observable instruments of the meter <c>CamCube</c>. Nothing is counted
/// here: an observation reads a snapshot that is at most 250 ms old. Any thread.
/// </summary>
internal sealed class CubeMetrics
{
    private static readonly TimeSpan Age = TimeSpan.FromMilliseconds(250);

    private readonly ICube _cube;
    private readonly TimeProvider _time;
    private readonly Meter _meter;
    private readonly Lock _lock = new();
    private readonly HashSet<string> _ofServices = new(StringComparer.Ordinal);
    private CubeStatus? _status;
    private long _taken;

    /// <summary>Creates the instruments that every cube has.</summary>
    public CubeMetrics(ICube cube, IMeterFactory meters, TimeProvider time)
    {
        (_cube, _time) = (cube, time);
        _meter = meters.Create("CamCube");
        Link("camcube.link.sent", "{packet}", l => l.SentPackets, "Packets sent on a link.");
        Link("camcube.link.sent.bytes", "By", l => l.SentBytes, "Bytes sent on a link, with headers.");
        Link("camcube.link.received", "{packet}", l => l.ReceivedPackets, "Packets received on a link.");
        Link("camcube.link.received.bytes", "By", l => l.ReceivedBytes, "Bytes received on a link, with headers.");
        Service("camcube.service.arrived", "{packet}", s => s.Arrived, "Packets given to a service.");
        Service("camcube.service.sent", "{packet}", s => s.Sent, "Packets a service sent itself.");
        Service("camcube.service.faults", "{fault}", s => s.Faults, "Times a service threw.");
        Level("camcube.service.held", "{packet}", s => s.Held, "Packets a service holds now.");
        Level(
            "camcube.service.callback.longest",
            "ns",
            s => s.MaxCallbackNanos,
            "Longest callback of a service that the watch saw."
        );
        _meter.CreateObservableCounter("camcube.server.dropped", Drops, "{packet}", "Packets dropped, by reason.");
        _meter.CreateObservableUpDownCounter(
            "camcube.server.packets",
            Packets,
            "{packet}",
            "Packets a server has now."
        );
    }

    /// <summary>Creates an instrument for each counter that a service has by now: <c>hits</c> of cache is
    /// <c>camcube.cache.hits</c>. Called when the services run.</summary>
    public void AddCountersOfServices()
    {
        var counters = Snapshot()
            .Servers.SelectMany(server => server.Services)
            .SelectMany(service =>
                service.Counters.Select(c => (c.Name, c.Unit)).Concat(service.Tagged).Select(c => (service.Name, c))
            );
        foreach ((string service, (string name, string unit)) in counters)
        {
            if (_ofServices.Add($"{service}.{name}"))
            {
                // A counter may be a sum or a level; this kind of instrument is right for both.
                _meter.CreateObservableUpDownCounter($"camcube.{service}.{name}", () => Counters(service, name), unit);
            }
        }
    }

    private CubeStatus Snapshot()
    {
        lock (_lock)
        {
            if (_status is null || _time.GetElapsedTime(_taken) > Age)
            {
                (_status, _taken) = (_cube.GetStatus(), _time.GetTimestamp());
            }

            return _status;
        }
    }

    private static KeyValuePair<string, object?> Tag(string name, object? value) => new(name, value);

    private static KeyValuePair<string, object?> Tag(ServerStatus server) =>
        new("server", server.Coordinate.ToString());

    private void Link(string name, string unit, Func<LinkStatus, long> value, string description) =>
        _meter.CreateObservableCounter(
            name,
            () =>
                Snapshot()
                    .Servers.SelectMany(server =>
                        server.Links.Select(l => new Measurement<long>(
                            value(l),
                            Tag(server),
                            Tag("link", l.Link.Name())
                        ))
                    ),
            unit,
            description
        );

    private void Service(string name, string unit, Func<ServiceStatus, long> value, string description) =>
        _meter.CreateObservableCounter(name, () => OfServices(value), unit, description);

    private void Level(string name, string unit, Func<ServiceStatus, long> value, string description) =>
        _meter.CreateObservableGauge(name, () => OfServices(value), unit, description);

    private IEnumerable<Measurement<long>> OfServices(Func<ServiceStatus, long> value) =>
        Snapshot()
            .Servers.SelectMany(server =>
                server.Services.Select(s => new Measurement<long>(value(s), Tag(server), Tag("service", s.Name)))
            );

    private IEnumerable<Measurement<long>> Drops() =>
        Snapshot()
            .Servers.SelectMany(server =>
                server.Drops.Select(drop => new Measurement<long>(
                    drop.Count,
                    Tag(server),
                    Tag("reason", drop.Reason.ToString())
                ))
            );

    private IEnumerable<Measurement<long>> Packets() =>
        Snapshot().Servers.Select(server => new Measurement<long>(server.PacketsInUse, Tag(server)));

    private IEnumerable<Measurement<long>> Counters(string service, string counter) =>
        from server in Snapshot().Servers
        from s in server.Services
        where s.Name == service
        from value in s.Counters
        where value.Name == counter
        select value switch
        {
            { Link: { } link } => new Measurement<long>(value.Value, Tag(server), Tag("link", link.Name())),
            { Label: { } label } => new Measurement<long>(value.Value, Tag(server), Tag(label, value.Of)),
            _ => new Measurement<long>(value.Value, Tag(server)),
        };
}
