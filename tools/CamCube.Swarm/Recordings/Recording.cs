using System.Globalization;
using CamCube.Capture;
using CamCube.Messaging;
using CamCube.Runtime.Observing;
using CamCube.Runtime.Services;
using CamCube.Services.KeyValue.Wire;
using CamCube.Simulator.Seeing;
using CamCube.Simulator.Settings;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Recordings;

/// <summary>The recording of one run. Its files are whole whenever it ends, after Ctrl+C too.</summary>
public sealed class Recording : IRunRecorder, IDisposable
{
    private const ushort LinkStateId = 1;
    private const ushort KeyValueId = 0x0170;
    private readonly RecordingPlan _plan;
    private readonly (Coordinate Server, long Number)? _traced;
    private readonly FileStream? _captureStream;
    private readonly FileStream? _timelineStream;
    private CaptureFile? _capture;
    private Timeline? _timeline;
    private PacketTrace? _trace;
    private long _now;
    private bool _isClosed;

    /// <summary>Opens the files, so that a wrong name is known before a long run.</summary>
    public Recording(RecordingPlan plan, (Coordinate Server, long Number)? traced)
    {
        (_plan, _traced) = (plan, traced);
        _captureStream = Create(plan.CaptureFile, "--capture");
        _timelineStream = Create(plan.TimelineFile, "--timeline");
    }

    /// <inheritdoc/>
    public bool IsDone => false;

    /// <summary>The traced packet's steps, or null if none was asked for.</summary>
    public IReadOnlyList<PacketStep>? Steps { get; private set; }

    /// <inheritdoc/>
    public void Prepare(TorusShape shape, IReadOnlyList<ServiceDefinition> services, SimulatorOptions options)
    {
        Dictionary<ServiceId, string> names = services.ToDictionary(service => service.Id, service => service.Name);
        names.TryAdd(new ServiceId(LinkStateId), "link-state");
        string NameOf(ServiceId id) => names.GetValueOrDefault(id) ?? $"service {id}";
        PrepareCapture(shape, options);
        var observers = new List<Func<Coordinate, IServerObserver>>();
        if (_timelineStream is not null)
        {
            Dictionary<ServiceId, StreamDescriber> describers = DescribersOf(services);
            var limits = new TimelineOptions
            {
                MostEvents = _plan.TimelineEvents,
                FromNanos = _plan.FromNanos,
                ContentsOf = (service, header, body) =>
                    describers.GetValueOrDefault(service)?.Describe(header, body)
                    ?? (service.Value == KeyValueId ? StorePacketWords.Of(header, body) : null),
            };
            _timeline = new Timeline(_timelineStream, shape, NameOf, limits);
            observers.Add(_timeline.ObserverOf);
            options.Noted = _timeline.Note;
        }

        if (_traced is var (server, number))
        {
            _trace = new PacketTrace(shape, server, number, NameOf);
            observers.Add(_trace.ObserverOf);
        }

        if (observers.Count > 0)
        {
            options.ObserverOf = at => ObserverGroup.Of([.. observers.Select(observer => observer(at))]);
        }
    }

    /// <inheritdoc/>
    public void Advanced(long nowNanos)
    {
        _now = nowNanos;
        _capture?.Write();
        _timeline?.Write();
    }

    /// <inheritdoc/>
    public void Ended()
    {
        Dispose();
        Steps = _trace is { IsFound: true } ? _trace.StepsUntil(_now) : null;
    }

    /// <summary>After the run.</summary>
    /// <exception cref="SwarmException">The traced packet was never sent.</exception>
    public void CheckFound()
    {
        if (_trace is { IsFound: false } && _traced is var (server, number))
        {
            throw RecordingPlan.NeverSent(number, _trace.SentThere, $"from {server}");
        }
    }

    /// <summary>What was recorded, for people.</summary>
    public IEnumerable<string> Lines()
    {
        if (_capture is not null)
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"{_plan.CaptureFile}: {_capture.Frames:N0} frames of {_capture.LinkCount:N0} "
                    + $"links{CutOff(_capture.CutOffNanos)}"
            );
        }

        if (_timeline is not null)
        {
            yield return FormattableString.Invariant(
                $"{_plan.TimelineFile}: {_timeline.Events:N0} events{CutOff(_timeline.CutOffNanos)}"
            );
        }

        foreach (PacketStep step in Steps ?? [])
        {
            yield return step.ToString();
        }
    }

    /// <summary>What was cut off, where the lines are not shown.</summary>
    public IEnumerable<string> Warnings()
    {
        if (_capture?.CutOffNanos is { } frames)
        {
            yield return $"{_plan.CaptureFile} is not whole{CutOff(frames)}";
        }

        if (_timeline?.CutOffNanos is { } events)
        {
            yield return $"{_plan.TimelineFile} is not whole{CutOff(events)}";
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isClosed)
        {
            return;
        }

        _isClosed = true;
        _capture?.Dispose();
        _timeline?.Dispose();
        _captureStream?.Dispose();
        _timelineStream?.Dispose();
    }

    private static Dictionary<ServiceId, StreamDescriber> DescribersOf(IReadOnlyList<ServiceDefinition> services)
    {
        var describers = new Dictionary<ServiceId, StreamDescriber>();
        foreach (ServiceDefinition service in services)
        {
            if (StreamDescriber.For(service.Header) is { } describer)
            {
                describers.Add(service.Id, describer);
            }
        }

        return describers;
    }

    private static string CutOff(long? nanos) =>
        nanos is { } time ? FormattableString.Invariant($", cut off at {time / 1e6:F6} ms") : "";

    private static FileStream? Create(string? path, string option)
    {
        try
        {
            return path is null ? null : new FileStream(path, FileMode.Create, FileAccess.Write);
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw SwarmException.OfUsage($"{option} {path} cannot be written: {e.Message}");
        }
    }

    private void PrepareCapture(TorusShape shape, SimulatorOptions options)
    {
        if (_captureStream is null)
        {
            return;
        }

        var limits = new CaptureOptions { MostFrames = _plan.CaptureFrames, FromNanos = _plan.FromNanos };
        CaptureFile file = _capture = new CaptureFile(_captureStream, shape, limits);
        IEnumerable<(Coordinate Server, Link Link)> wanted = _plan.Links;
        if (_plan.Links.Count == 0)
        {
            wanted = Enumerable.Range(0, shape.Count).Select(shape.At).SelectMany(server => CablesOf(shape, server));
        }

        ILookup<Coordinate, CaptureLink> links = wanted
            .Select(link => file.LinkOf(link.Server, link.Link, options.LinkBitsPerSecond))
            .Distinct()
            .ToLookup(link => link.Server);
        options.WrapLinks = (server, inner) =>
            links.Contains(server) ? new CapturingLinks(inner, links[server]) : inner;
    }

    private static List<(Coordinate Server, Link Link)> CablesOf(TorusShape shape, Coordinate server)
    {
        var cables = new List<(Coordinate, Link)>();
        foreach (Link link in shape.CabledLinks(server))
        {
            cables.Add((server, link));
        }

        return cables;
    }
}
