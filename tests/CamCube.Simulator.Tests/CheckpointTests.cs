using CamCube.Runtime.Tracing;
using CamCube.Simulator.Settings;
using CamCube.Simulator.Tracing;

namespace CamCube.Simulator.Tests;

/// <summary>Checkpoints and recordings of the trace: exact, and of no influence.</summary>
public sealed class CheckpointTests
{
    private const long End = 3_000_000;
    private const long Every = 250_000;
    private static readonly TorusShape Shape = new(3, 3, 2);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Checkpoints_are_exact_however_time_is_cut_into_pieces(int threads)
    {
        IReadOnlyList<Checkpoint> whole = Run(threads: 1, (cube, end) => cube.AdvanceTo(end));
        Assert.Equal(Enumerable.Range(1, 12).Select(i => i * Every), whole.Select(checkpoint => checkpoint.AtNanos));
        Assert.Equal(12, whole.Select(checkpoint => checkpoint.Hash).Distinct().Count());

        var random = new Random(3);
        IReadOnlyList<Checkpoint> pieces = Run(
            threads,
            (cube, end) => cube.AdvanceTo(Math.Min(end, cube.NowNanos + random.Next(1, 6_000)))
        );
        IReadOnlyList<Checkpoint> onThem = Run(threads, (cube, _) => cube.AdvanceTo(cube.NowNanos + Every));
        Equal(whole, pieces);
        Equal(whole, onThem);
    }

    [Fact]
    public void A_checkpoint_is_the_hash_of_a_run_that_ends_there()
    {
        IReadOnlyList<Checkpoint> checkpoints = Run(threads: 1, (cube, end) => cube.AdvanceTo(end));
        using SimulatedCube cube = Make(1);
        cube.AdvanceTo(checkpoints[4].AtNanos);
        Assert.Equal(checkpoints[4].Hash, cube.TraceHash);
        Assert.Equal(checkpoints[4].Events, cube.Events);
        Assert.Equal(checkpoints[4].Servers, Enumerable.Range(0, Shape.Count).Select(cube.TraceHashOf));
        cube.AdvanceTo(checkpoints[4].AtNanos + 50_000);
        Assert.NotEqual(checkpoints[4].Hash, cube.TraceHash);
    }

    [Fact]
    public void Without_being_asked_for_there_are_none_and_without_tracing_they_are_refused()
    {
        using SimulatedCube cube = new(Shape, [Traffic.Define()]);
        cube.AdvanceTo(End);
        Assert.Empty(cube.Checkpoints);
        var untraced = new SimulatorOptions { IsTracing = false, CheckpointEvery = TimeSpan.FromMilliseconds(1) };
        Assert.Throws<ArgumentException>(() => new SimulatedCube(Shape, [], untraced));
        Assert.Throws<ArgumentOutOfRangeException>(() =>
            new SimulatedCube(Shape, [], new SimulatorOptions { CheckpointEvery = TimeSpan.FromTicks(-1) })
        );
        using var dark = new SimulatedCube(Shape, [], new SimulatorOptions { IsTracing = false });
        Assert.Throws<InvalidOperationException>(() => dark.Record());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_recording_has_every_event_in_total_order_and_changes_nothing(int threads)
    {
        ulong alone;
        using (SimulatedCube cube = Make(1))
        {
            cube.AdvanceTo(End);
            alone = cube.TraceHash;
        }

        IReadOnlyList<TraceEvent> expected = Recorded(1, out _, out _),
            events = Recorded(threads, out ulong hash, out ulong[] servers);
        Assert.Equal(alone, hash);
        Assert.Equal(expected, events);
        Assert.True(events.Count > 2_000);
        for (int i = 1; i < events.Count; i++)
        {
            Assert.True(events[i - 1].CompareTo(events[i]) < 0);
        }

        // Nothing is missing: the last event of each server leaves the hash that the server has.
        foreach (IGrouping<int, TraceEvent> server in events.GroupBy(e => e.Server))
        {
            Assert.Equal(servers[server.Key], server.Last().Hash);
            Assert.Equal(Enumerable.Range(1, server.Count()).Select(i => (long)i), server.Select(e => e.Sequence));
        }

        Assert.Equal(
            [
                TraceEventKind.Transmit,
                TraceEventKind.Arrive,
                TraceEventKind.Draw,
                TraceEventKind.Timer,
                TraceEventKind.Local,
            ],
            events.Select(e => e.Kind).Distinct().Order()
        );
        TraceEvent sent = events.First(e => e.Kind == TraceEventKind.Transmit && e.Service == Traffic.Id);
        Assert.Contains(
            events,
            e => e.Kind == TraceEventKind.Arrive && e.PacketId == sent.PacketId && e.Source == sent.Source
        );
    }

    [Fact]
    public void A_recording_keeps_to_its_span_and_ends()
    {
        using SimulatedCube cube = Make(1);
        EventRecording recording = cube.Record(1_000_000, 2_000_000);
        Assert.Throws<InvalidOperationException>(() => cube.Record());
        cube.AdvanceTo(1_500_000);
        cube.Kill(0);
        cube.Revive(0);
        cube.AdvanceTo(End);
        IReadOnlyList<TraceEvent> events = recording.Read();
        Assert.All(events, e => Assert.InRange(e.AtNanos, 1_000_000, 2_000_000));
        Assert.Contains(events, e => e.Server == 0 && e.AtNanos > 1_600_000);
        recording.Dispose();
        using EventRecording other = cube.Record();
        recording.Dispose();
        cube.AdvanceTo(End + 500_000);
        Assert.NotEmpty(other.Read());
        Assert.Equal(events, recording.Read());
    }

    private static IReadOnlyList<TraceEvent> Recorded(int threads, out ulong hash, out ulong[] servers)
    {
        using SimulatedCube cube = Make(threads);
        using EventRecording recording = cube.Record();
        cube.AdvanceTo(End);
        hash = cube.TraceHash;
        servers = [.. Enumerable.Range(0, Shape.Count).Select(cube.TraceHashOf)];
        return recording.Read();
    }

    private static void Equal(IReadOnlyList<Checkpoint> expected, IReadOnlyList<Checkpoint> actual)
    {
        Assert.Equal(expected.Count, actual.Count);
        for (int i = 0; i < expected.Count; i++)
        {
            Assert.Equal(expected[i] with { Servers = [] }, actual[i] with { Servers = [] });
            Assert.Equal(expected[i].Servers, actual[i].Servers);
        }
    }

    private static IReadOnlyList<Checkpoint> Run(int threads, Action<SimulatedCube, long> drive)
    {
        using SimulatedCube cube = Make(threads);
        while (cube.NowNanos < End)
        {
            drive(cube, End);
        }

        return cube.Checkpoints;
    }

    // Long cables: threads meet seldom, and the machine may be busy with other tests.
    private static SimulatedCube Make(int threads) =>
        new(
            Shape,
            [Traffic.Define(made: static (_, t) => t.Server.Loop.Post(static s => ((Traffic)s!).Begin(), t))],
            new SimulatorOptions
            {
                Seed = 6,
                Threads = threads,
                LinkDelayNanos = 30_000,
                CheckpointEvery = TimeSpan.FromMicroseconds(Every / 1_000),
                CheckpointsHaveServers = true,
            }
        );
}
