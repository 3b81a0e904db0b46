using System.Text.Json;
using CamCube.Simulator.Seeing;
using CamCube.Simulator.Settings;
using static CamCube.Simulator.Tests.Seeing.TimelineReader;

namespace CamCube.Simulator.Tests.Seeing;

/// <summary>The file against the trace event format (the rules that ui.perfetto.dev reads it by).</summary>
public sealed class TimelineTests
{
    private static readonly TorusShape Shape = new(3, 2, 1);

    [Fact]
    public void A_run_is_a_valid_file_and_the_same_each_time()
    {
        (byte[] first, ulong hash) = Run(Busy);
        (byte[] second, _) = Run(Busy);
        Assert.Equal(first, second);
        using var plain = new SimulatedCube(Shape, [Traffic.Define()]);
        Busy(plain);
        Assert.Equal(plain.TraceHash, hash);

        JsonElement[] events = Valid(first);
        string[] servers = [.. Named(events, "process_name")];
        Assert.Equal(Enumerable.Range(0, 6).Select(rank => $"server {Shape.At(rank)}").Order(), servers.Order());
        Assert.Contains("link +x", Named(events, "thread_name"));
        Assert.Contains("service traffic", Named(events, "thread_name"));
    }

    [Fact]
    public void A_packet_is_a_slice_on_its_link_between_what_its_services_say()
    {
        (byte[] file, _) = Run(cube =>
        {
            cube.AdvanceTo(100_000);
            cube.Service<Traffic>(0).Send(Shape.At(1), virtualBytes: 1_000);
            cube.AdvanceTo(200_000);
        });
        JsonElement[] events =
        [
            .. Valid(file)
                .Where(e => Name(e) == "traffic" || Text(e, "cat") is "sent" or "verdict")
                .Where(e => e.GetProperty("ts").GetDouble() is >= 100 and < 120 && Link(e) != "link-state"),
        ];
        JsonElement slice = Assert.Single(events, e => Text(e, "ph") == "X");
        Assert.Equal(
            (100.0, 8.4, 1, 101),
            (Number(slice, "ts"), Number(slice, "dur"), Number(slice, "pid"), Number(slice, "tid"))
        );
        Assert.Equal(
            ("0,0,0", "1,0,0", 1_050),
            (Argument(slice, "from"), Argument(slice, "to"), slice.GetProperty("args").GetProperty("bytes").GetInt32())
        );
        JsonElement sent = Assert.Single(
            events,
            e => Name(e) == "sent to 1,0,0" && Argument(e, "packet") == Argument(slice, "packet")
        );
        JsonElement verdict = Assert.Single(
            events,
            e => Name(e) == "Consume" && Argument(e, "packet") == Argument(slice, "packet")
        );
        Assert.Equal((100.0, 1), (Number(sent, "ts"), Number(sent, "pid")));
        Assert.Equal((108.9, 2, "-x"), (Number(verdict, "ts"), Number(verdict, "pid"), Argument(verdict, "arrivedOn")));

        static string Link(JsonElement e) =>
            e.TryGetProperty("args", out JsonElement args) && args.GetProperty("bytes").GetInt32() < 1_050
                ? "link-state"
                : "";
    }

    [Fact]
    public void Faults_and_changes_of_views_are_instants_of_their_server()
    {
        (byte[] file, _) = Run(
            cube =>
            {
                cube.AdvanceTo(1_000_000);
                cube.Cut(0, Link.XPlus);
                cube.Advance(TimeSpan.FromMilliseconds(300));
                cube.Mend(0, Link.XPlus);
                cube.CutOneWay(1, Link.YPlus);
                cube.Kill(5);
                cube.Advance(TimeSpan.FromMilliseconds(300));
                cube.MendOneWay(1, Link.YPlus);
                cube.SetClock(2, TimeSpan.FromMilliseconds(-5), 100);
                cube.Service<Traffic>(0).Send(Shape.At(5));
                cube.Revive(5);
                cube.Advance(TimeSpan.FromMilliseconds(500));
            },
            most: 1_000_000
        );
        JsonElement[] instants = [.. Valid(file).Where(e => Text(e, "ph") == "i" && Text(e, "s") == "p")];
        Assert.Contains(instants, e => Name(e) == "+x cut" && Number(e, "ts") == 1_000 && Number(e, "pid") == 1);
        Assert.Contains(instants, e => Name(e) == "-x cut" && Number(e, "ts") == 1_000 && Number(e, "pid") == 2);
        Assert.Contains(instants, e => Name(e) == "+x mended");
        Assert.Contains(instants, e => Name(e) == "+y cut one way" && Number(e, "pid") == 2);
        Assert.Contains(
            instants,
            e => Name(e) == "+y mended one way" && Number(e, "ts") == 601_000 && Number(e, "pid") == 2
        );
        Assert.Contains(instants, e => Name(e) == "clock set -5 ms off, drift +100 ppm" && Number(e, "pid") == 3);
        Assert.Contains(
            instants,
            e => Name(e) == "view: LinkDown +x" && Number(e, "ts") > 1_000 && Number(e, "pid") == 1
        );
        Assert.Contains(instants, e => Name(e) == "power failed" && Number(e, "pid") == 6);
        Assert.Contains(instants, e => Name(e) == "started" && Number(e, "pid") == 6);
        Assert.Contains(instants, e => Name(e) == "view: ServerLost 2,1,0" && Number(e, "pid") == 1);
        Assert.Contains(instants, e => Name(e) == "view: ServerReturned 2,1,0" && Number(e, "pid") == 1);
        Assert.Contains(instants, e => Name(e) == "dropped: NoRoute" && Number(e, "pid") == 1);
    }

    [Fact]
    public void A_timeline_is_cut_off_at_its_limit_and_says_so_and_begins_when_it_is_told_to()
    {
        var stream = new MemoryStream();
        var timeline = new Timeline(
            stream,
            Shape,
            id => id.ToString(),
            new TimelineOptions { MostEvents = 500, FromNanos = 300_000 }
        );
        using var cube = new SimulatedCube(
            Shape,
            [Traffic.Define()],
            new SimulatorOptions { ObserverOf = timeline.ObserverOf, Noted = timeline.Note }
        );
        Begin(cube);
        for (int i = 1; i <= 10; i++)
        {
            cube.AdvanceTo(i * 200_000);
            timeline.Write();
        }

        timeline.Dispose();
        timeline.Dispose();
        JsonElement[] events = [.. Valid(stream.ToArray()).Where(e => Text(e, "ph") != "M")];
        Assert.Equal((500L, 501), (timeline.Events, events.Length));
        Assert.Contains("cut off here", Name(events[^1]), StringComparison.Ordinal);
        Assert.Equal("g", Text(events[^1], "s"));
        Assert.Equal(timeline.CutOffNanos / 1e3, Number(events[^1], "ts"));
        Assert.All(events, e => Assert.True(Text(e, "cat") == "cube" || Number(e, "ts") >= 300));
    }

    private static void Busy(SimulatedCube cube)
    {
        Begin(cube);
        cube.AdvanceTo(1_000_000);
    }

    private static void Begin(SimulatedCube cube)
    {
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            cube.Service<Traffic>(rank).Begin();
        }
    }

    private static (byte[] File, ulong Hash) Run(Action<SimulatedCube> drive, long most = 250_000)
    {
        var stream = new MemoryStream();
        string NameOf(ServiceId id) => id.Value == Traffic.Id ? "traffic" : "link-state";
        ulong hash;
        using (var timeline = new Timeline(stream, Shape, NameOf, new TimelineOptions { MostEvents = most }))
        {
            using var cube = new SimulatedCube(
                Shape,
                [Traffic.Define()],
                new SimulatorOptions { ObserverOf = timeline.ObserverOf, Noted = timeline.Note }
            );
            drive(cube);
            hash = cube.TraceHash;
        }

        return (stream.ToArray(), hash);
    }
}
