using System.Text.Json;
using System.Text.RegularExpressions;
using CamCube.Simulator.Swarm;
using CamCube.Simulator.Tests.Seeing;
using CamCube.Swarm.Recordings;
using CamCube.Swarm.Runs;
using static CamCube.Simulator.Tests.Seeing.TimelineReader;

namespace CamCube.Swarm.Tests.Recordings;

/// <summary>Captures, timelines and traces of swarm runs.</summary>
public sealed partial class SwarmRecordingTests : IDisposable
{
    private static readonly SwarmOptions Options = new()
    {
        Seed = 5,
        Shape = "3x2x1",
        Services = [SwarmServices.Keys, SwarmServices.Pings],
        DetectionMillis = 100,
        Rounds = 2,
        RoundMillis = 500,
        Faults = [.. Enum.GetValues<FaultKind>().Select(kind => new FaultRate(kind, 8))],
    };

    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-swarm-recording-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_recorded_run_is_the_same_run_and_its_faults_are_spans_of_the_timeline()
    {
        SwarmResult plain = SwarmRunner.RunOne(Options, default);
        (SwarmResult recorded, Recording recording) = Record(default);
        Assert.Empty(plain.Failures);
        Assert.Equal(plain.TraceHash, recorded.TraceHash);
        Assert.Equal(plain.Tally.Counts, recorded.Tally.Counts);
        Assert.Equal(plain.VirtualNanos, recorded.VirtualNanos);
        Assert.Equal("sent", recording.Steps![0].Event);

        var capture = new PcapngReader(File.ReadAllBytes(PlanIn(_folder).CaptureFile!));
        Assert.Equal("0,0,0 +x", Assert.Single(capture.Interfaces).Name);
        Assert.True(capture.Frames.Count > 100, $"{capture.Frames.Count} frames");
        Assert.All(capture.Frames, frame => Assert.InRange(frame.Nanos, 0, plain.VirtualNanos));

        JsonElement[] events = Valid(File.ReadAllBytes(PlanIn(_folder).TimelineFile!));
        Assert.Contains("faults", Named(events, "process_name"));
        foreach (FaultRate fault in Options.Faults.Where(fault => fault.Kind != FaultKind.ClockDrift))
        {
            string name = FaultNames.Of(fault.Kind);
            int begun = events.Count(e =>
                Text(e, "ph") == "b" && Name(e)!.StartsWith(name + " ", StringComparison.Ordinal)
            );
            Assert.Equal((name, plain.Tally[$"fault {name}"]), (name, begun));
            Assert.True(begun > 0, name);
            Assert.Contains(
                events,
                e => Text(e, "ph") == "e" && Name(e)!.StartsWith(name + " ", StringComparison.Ordinal)
            );
        }

        // A stop from outside is told at the server, too; that the cube is taken down at the end is no part of the run.
        string[] notes = [.. events.Where(e => Text(e, "cat") == "cube").Select(e => Name(e)!)];
        Assert.Contains("power failed", notes);
        Assert.Contains("+x mended one way", notes);
        Assert.Contains(notes, note => note.StartsWith("clock set ", StringComparison.Ordinal));
        Assert.DoesNotContain("shut down", notes);
    }

    [Fact]
    public void Packets_of_streams_say_in_the_timeline_what_they_contain()
    {
        SwarmOptions options = Options with { Services = ["messenger"], Faults = [] };
        SwarmResult plain = SwarmRunner.RunOne(options, default);
        SwarmResult? recorded = null;
        SwarmRunner.RunRecorded(options, PlanIn(_folder), result => recorded = result, default);
        Assert.Equal(plain.TraceHash, recorded!.TraceHash);
        string[] names =
        [
            .. Valid(File.ReadAllBytes(PlanIn(_folder).TimelineFile!))
                .Where(e => Text(e, "ph") == "X")
                .Select(e => Name(e)!),
        ];
        Assert.Contains("messenger: hello", names);
        Assert.Contains("messenger: welcome", names);
        Assert.Contains(names, name => name.StartsWith("messenger: ack to ", StringComparison.Ordinal));
        Assert.Contains(names, name => Data().IsMatch(name));
        Assert.Contains("messenger", names);
        Assert.DoesNotContain(names, name => name.Contains("malformed", StringComparison.Ordinal));
    }

    [Fact]
    public void Packets_of_the_store_say_in_the_timeline_what_they_contain()
    {
        SwarmOptions options = Options with { Shape = "3x1x1", Services = ["kv"], Faults = [], Rounds = 1 };
        SwarmResult plain = SwarmRunner.RunOne(options, default);
        SwarmResult? recorded = null;
        SwarmRunner.RunRecorded(options, PlanIn(_folder), result => recorded = result, default);
        Assert.Equal(plain.TraceHash, recorded!.TraceHash);
        string[] names =
        [
            .. Valid(File.ReadAllBytes(PlanIn(_folder).TimelineFile!))
                .Where(e => Text(e, "ph") == "X")
                .Select(e => Name(e)!),
        ];
        Assert.All(
            ["kv: beat", "kv: append of 0/", "kv: accepted of 0/", "kv: put ", "kv: get ", "kv: answer done "],
            words => Assert.Contains(names, name => name.StartsWith(words, StringComparison.Ordinal))
        );
        Assert.DoesNotContain("kv", names);
        Assert.DoesNotContain(names, name => name.Contains("malformed", StringComparison.Ordinal));
    }

    [Fact]
    public void A_run_that_is_ended_early_leaves_whole_files()
    {
        using var cancel = new CancellationTokenSource();
        cancel.Cancel();
        Assert.Null(
            SwarmRunner.RunRecorded(Options, PlanIn(_folder), _ => Assert.Fail("It has no result."), cancel.Token)
        );
        Assert.NotNull(Valid(File.ReadAllBytes(PlanIn(_folder).TimelineFile!)));
    }

    [GeneratedRegex(@"^messenger: packet \d+ on [-+][xy]: .*data \d+ B of \d+ at \d+")]
    private static partial Regex Data();

    private (SwarmResult Result, Recording Recording) Record(CancellationToken cancel)
    {
        SwarmResult? result = null;
        Recording? recording = SwarmRunner.RunRecorded(Options, PlanIn(_folder), ended => result = ended, cancel);
        return (result!, recording!);
    }

    private static RecordingPlan PlanIn(string folder) =>
        new()
        {
            Shape = Options.ToShape(),
            CaptureFile = Path.Combine(folder, "run.pcapng"),
            Links = [(default, Link.XPlus)],
            CaptureFrames = 1_000_000,
            TimelineFile = Path.Combine(folder, "run.json"),
            TimelineEvents = 1_000_000,
            Packet = 3,
            PacketFrom = new Coordinate(1, 0, 0),
        };
}
