using System.Globalization;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Runtime.Tracing;
using CamCube.Services.Cache;
using CamCube.Services.Messenger;
using CamCube.Simulator;
using CamCube.Simulator.Tracing;
using CamCube.Swarm.Streams;

namespace CamCube.Swarm.Determinism;

/// <summary>Runs a drawn scenario in this process.</summary>
public static class ScenarioRun
{
    // Enough to narrow a difference down to a span whose events can be read.
    private const int Checkpoints = 50;

    /// <summary>Runs it to its end.</summary>
    /// <param name="request">What to run.</param>
    /// <param name="events">The events of the span that was asked for.</param>
    public static RunResult Run(RunRequest request, out IReadOnlyList<RunEvent> events)
    {
        TorusShape? shape =
            request.Shape is { } text && TorusShape.TryParse(text, out TorusShape given) is null ? given : null;
        var scenario = new DrawnScenario(request.Seed, shape, request.DurationNanos);
        scenario.Options.Threads = request.Threads;
        scenario.Options.CheckpointEvery = TimeSpan.FromTicks(Math.Max(1, request.DurationNanos / Checkpoints / 100));
        scenario.Options.CheckpointsHaveServers = true;
        using var writer = new StreamWriter(Stream.Null);
        LoggingEvents? log = request.IsLogging ? new LoggingEvents(writer) : null;
        using var cube = new SimulatedCube(
            scenario.Shape,
            Services(scenario, request.PlantNanos),
            scenario.Options,
            new ServerOptions { Liveness = { DetectionTime = scenario.Detection } },
            log
        );
        using EventRecording? recording =
            request.RecordUntilNanos is { } until ? cube.Record(request.RecordFromNanos, until)
            : request.IsLogging ? cube.Record()
            : null;
        foreach ((long at, Action<SimulatedCube> act) in scenario.InOrder)
        {
            cube.AdvanceTo(at);
            act(cube);
        }

        cube.AdvanceTo(request.DurationNanos);
        IReadOnlyList<TraceEvent> recorded = recording?.Read() ?? [];
        events = request.RecordUntilNanos is null ? [] : [.. recorded.Select(e => RunEvent.Of(cube.Shape, e))];
        return Result(cube, scenario, log?.Faults ?? 0);
    }

    private static ServiceDefinition[] Services(DrawnScenario scenario, long? plantNanos)
    {
        Coordinate plantAt = scenario.Shape.At(scenario.PlantRank);
        var cache = new CacheOptions
        {
            MemoryLimit = 1 << 20,
            Timeout = TimeSpan.FromMilliseconds(5),
            TakeoverDelay = scenario.Detection / 2,
        };
        var streams = new StreamTraffic(new StreamSettings(scenario.Options.Seed, scenario.Shape.Count), ledger: null);
        var messenger = new MessengerOptions();
        return
        [
            ServiceDefinition.Of(a => new MessengerService(a.Server, messenger)),
            ServiceDefinition.Of(a => new DrawnMessages(a.Server, a.Dependency<IMessenger>())),
            streams.Define(),
            ServiceDefinition.Of(a => new DrawnTraffic(
                a.Server,
                plantNanos is { } nanos && a.Server.Coordinate == plantAt ? nanos : long.MaxValue
            )),
            ServiceDefinition.Of(a => new CacheService(a.Server, cache)),
        ];
    }

    private static RunResult Result(SimulatedCube cube, DrawnScenario scenario, int faults)
    {
        List<RunCheckpoint> checkpoints =
        [
            .. cube.Checkpoints.Select(c => new RunCheckpoint(c.AtNanos, Hex(c.Hash), [.. c.Servers.Select(Hex)])),
        ];
        if (checkpoints.Count == 0 || checkpoints[^1].AtNanos < cube.NowNanos)
        {
            string[] servers = [.. Enumerable.Range(0, cube.Shape.Count).Select(rank => Hex(cube.TraceHashOf(rank)))];
            checkpoints.Add(new RunCheckpoint(cube.NowNanos, Hex(cube.TraceHash), servers));
        }

        return new RunResult(
            cube.Shape.ToString(),
            Hex(cube.TraceHash),
            cube.Events,
            cube.PacketHops,
            cube.LostOnCables,
            faults,
            scenario.Cache.Outcome(),
            checkpoints
        );
    }

    private static string Hex(ulong number) => number.ToString("x16", CultureInfo.InvariantCulture);
}
