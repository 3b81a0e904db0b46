using System.Text.Json;
using CamCube.Faults;
using CamCube.Runtime.Cubes;
using CamCube.Services.Diagnostics;
using CamCube.Services.Workloads.Load;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Simulator.Tests;

/// <summary>The command trace: the way of a packet as the servers on it tell it.</summary>
public sealed class TraceCommandTests
{
    [Theory]
    [InlineData("0,0,0", "2,1,0", 3)]
    [InlineData("0,0,0", "0,0,0", 0)]
    [InlineData("1,1,0", "3,2,0", 3)]
    public void Every_server_on_the_way_tells_where_it_came_in_and_went_out(string from, string to, int hops)
    {
        using TestCube cube = Start(5, 4, 1);
        JsonElement trace = Trace(cube, from, $"to={to}");
        Assert.Equal("arrived", Text(trace, "end"));
        JsonElement[] rows = Rows(trace);
        Assert.Equal(hops, rows.Length - 1);
        Assert.Equal((from, to), (Text(rows[0], "server"), Text(rows[^1], "server")));
        AssertJoined(cube.Shape, rows);
        Assert.All(rows.Zip(rows.Skip(1)), pair => Assert.True(Nanos(pair.First) < Nanos(pair.Second)));
        Assert.False(rows[0].TryGetProperty("in", out _) && rows[0].GetProperty("in").ValueKind != JsonValueKind.Null);
        Assert.Equal("arrived", Text(rows[^1], "verdict"));
        cube.AssertQuiet();
    }

    [Fact]
    public void It_may_begin_at_another_server_than_the_one_that_is_asked()
    {
        using TestCube cube = Start(5, 4, 1);
        JsonElement trace = Trace(cube, "0,0,0", "from=2,0,0 to=2,2,0");
        Assert.Equal(("2,0,0", "0,0,0"), (Text(trace, "from"), Text(trace, "asked")));
        Assert.Equal(["2,0,0", "2,2,0"], [Text(Rows(trace)[0], "server"), Text(Rows(trace)[^1], "server")]);
        Assert.Equal(3, Rows(trace).Length);
        cube.AssertQuiet();
    }

    [Fact]
    public void Around_a_cable_that_is_cut_the_way_is_longer()
    {
        using TestCube cube = Start(6, 1, 1);
        cube.LinkFaults.Add(new LinkCut(), LinkScope.Link(new(1, 0, 0), Link.XPlus));
        cube.Advance(TimeSpan.FromSeconds(3));
        JsonElement trace = Trace(cube, "1,0,0", "to=2,0,0");
        Assert.Equal(
            ["1,0,0", "0,0,0", "5,0,0", "4,0,0", "3,0,0", "2,0,0"],
            Rows(trace).Select(row => Text(row, "server"))
        );
        cube.AssertQuiet();
    }

    [Fact]
    public void A_server_that_is_off_has_no_way_to_it()
    {
        using TestCube cube = Start(5, 1, 1);
        cube.Kill(new(2, 0, 0));
        cube.AwaitConverged();
        JsonElement trace = Trace(cube, "0,0,0", "to=2,0,0");
        Assert.Equal("noRoute", Text(trace, "end"));
        Assert.Equal(
            "0,0,0 noRoute",
            string.Join(';', Rows(trace).Select(r => $"{Text(r, "server")} {Text(r, "verdict")}"))
        );
        trace = Trace(cube, "0,0,0", "from=2,0,0 to=1,0,0");
        Assert.Equal(("noRoute", 0), (Text(trace, "end"), Rows(trace).Length));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(6)]
    public void What_swallows_it_is_found(int silent)
    {
        using TestCube cube = Start(14, 1, 1);
        Coordinate before = new((ushort)(silent - 1), 0, 0);
        cube.Lose = (from, by, packet) => packet.Service == new ServiceId(0x0101) && from == before && by == Link.XPlus;
        JsonElement trace = Trace(cube, "0,0,0", "to=6,0,0 timeout=10ms");
        Assert.Equal("noAnswer", Text(trace, "end"));
        Assert.Equal(silent, Rows(trace).Length);
        Assert.Equal($"{before}", Text(Rows(trace)[^1], "server"));
        Assert.Equal("+x", Rows(trace)[^1].GetProperty("links")[0].GetString());
        cube.AssertQuiet();
    }

    [Fact]
    public void A_trace_that_is_lost_once_is_not_taken_for_the_end()
    {
        using TestCube cube = Start(9, 1, 1);
        int lost = 0;
        cube.Lose = (_, _, packet) => packet.Service == new ServiceId(0x0101) && lost++ == 0;
        JsonElement trace = Trace(cube, "0,0,0", "to=4,0,0 timeout=10ms");
        Assert.Equal(("arrived", 5), (Text(trace, "end"), Rows(trace).Length));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_long_ring_has_all_its_hops()
    {
        using TestCube cube = Start(250, 1, 1);
        JsonElement trace = Trace(cube, "0,0,0", "to=125,0,0");
        Assert.Equal(("arrived", 126), (Text(trace, "end"), Rows(trace).Length));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_way_with_more_hops_than_a_small_frame_holds_says_so()
    {
        using TestCube cube = Start(250, 1, 1, maxFrameLength: 1_514);
        JsonElement trace = Trace(cube, "0,0,0", "to=125,0,0");
        Assert.Equal("tooLong", Text(trace, "end"));
        Assert.InRange(Rows(trace).Length, 80, 91);
        cube.AssertQuiet();
    }

    [Fact]
    public void What_waits_for_the_link_is_seen()
    {
        using TestCube cube = Start(9, 1, 1);
        Await(cube, "1,0,0", CommandCall.Of("diagnostics", "load", ("for", "1s"), ("size", "8000")));
        var crowd = Enumerable
            .Range(0, 40)
            .Select(_ =>
                cube[new Coordinate(0, 0, 0)]
                    .Gate.RunCommandAsync(CommandCall.Of("diagnostics", "trace", ("to", "3,0,0")))
            )
            .ToArray();
        int[] queued =
        [
            .. crowd.Select(asked => Rows(Parse(cube.Await(asked))).Max(row => row.GetProperty("queued").GetInt32())),
        ];
        Assert.Contains(queued, count => count > 10);
    }

    [Fact]
    public void Whether_a_service_runs_is_told_at_each_hop_and_one_that_routes_itself_is_refused()
    {
        using TestCube cube = Start(5, 1, 1);
        JsonElement trace = Trace(cube, "0,0,0", "to=2,0,0 service=second-load");
        Assert.Equal([true, true, true], Rows(trace).Select(row => row.GetProperty("runsService").GetBoolean()));
        Assert.Equal(
            "there is no service 'nobody' on 0,0,0; there are diagnostics, link-state, routed-load, second-load.",
            Refused(cube, "to=2,0,0 service=nobody")
        );
        Assert.StartsWith(
            "routed-load says with a function of its own where each of its packets goes",
            Refused(cube, "to=2,0,0 service=routed-load"),
            StringComparison.Ordinal
        );
        Assert.Equal("to=5,0,0 is outside of 5x1x1.", Refused(cube, "to=5,0,0"));
        Assert.Equal("from=0,1,0 is outside of 5x1x1.", Refused(cube, "to=1,0,0 from=0,1,0"));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_crowd_has_a_limit_and_who_goes_frees_a_place()
    {
        using TestCube cube = Start(5, 1, 1, traces: 3);
        cube.Lose = (_, _, packet) => packet.Service == new ServiceId(0x0101);
        using CancellationTokenSource gone = new();
        ValueTask<CommandResult>[] crowd =
        [
            .. Enumerable
                .Range(0, 20)
                .Select(_ =>
                    cube[new Coordinate(0, 0, 0)]
                        .Gate.RunCommandAsync(
                            CommandCall.Of("diagnostics", "trace", ("to", "2,0,0"), ("timeout", "60s")),
                            gone.Token
                        )
                ),
        ];
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(3, crowd.Count(asked => !asked.IsCompleted));
        gone.Cancel();
        CommandResult[] ends = [.. crowd.Select(asked => cube.Await(asked))];
        Assert.Equal(3, ends.Count(end => end.Status == CommandStatus.Cancelled));
        Assert.All(
            ends.Where(end => end.Status != CommandStatus.Cancelled),
            end => Assert.Equal("3 traces are under way from 0,0,0, which is all it may have; try again.", end.Text)
        );
        cube.Lose = null;
        Assert.Equal("arrived", Text(Trace(cube, "0,0,0", "to=2,0,0"), "end"));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_relay_that_dies_in_the_middle_of_a_crowd_ends_no_trace_without_a_word()
    {
        using TestCube cube = Start(9, 3, 1);
        ValueTask<CommandResult>[] crowd =
        [
            .. Enumerable
                .Range(0, 50)
                .Select(i =>
                    cube[new Coordinate(0, 0, 0)]
                        .Gate.RunCommandAsync(
                            CommandCall.Of("diagnostics", "trace", ("to", $"{3 + (i % 2)},1,0"), ("timeout", "5ms"))
                        )
                ),
        ];
        cube.Advance(TimeSpan.FromMicroseconds(20));
        cube.Kill(new(2, 1, 0));
        string[] ends = [.. crowd.Select(asked => Text(Parse(cube.Await(asked)), "end"))];
        Assert.All(ends, end => Assert.Contains(end, (string[])["arrived", "noAnswer"]));
        cube.AwaitConverged();
        Assert.Equal("arrived", Text(Trace(cube, "0,0,0", "to=3,1,0"), "end"));
        cube.AssertQuiet();
    }

    private static void AssertJoined(TorusShape shape, JsonElement[] rows)
    {
        for (int i = 0; i + 1 < rows.Length; i++)
        {
            Assert.True(Links.TryParse(Text(rows[i], "out"), out Link by));
            Assert.True(Coordinate.TryParse(Text(rows[i], "server"), out Coordinate at));
            Assert.Equal($"{shape.Step(at, by)}", Text(rows[i + 1], "server"));
            Assert.Equal(by.Opposite().Name(), Text(rows[i + 1], "in"));
            Assert.Contains(by.Name(), rows[i].GetProperty("links").EnumerateArray().Select(link => $"{link}"));
        }
    }

    private static string Refused(TestCube cube, string arguments)
    {
        CommandResult result = Run(cube, "0,0,0", arguments);
        Assert.Equal(CommandStatus.Refused, result.Status);
        return result.Text;
    }

    private static JsonElement Trace(TestCube cube, string at, string arguments)
    {
        CommandResult result = Run(cube, at, arguments);
        Assert.True(result.IsOk, result.Text);
        return Parse(result);
    }

    private static CommandResult Run(TestCube cube, string at, string arguments) =>
        Await(
            cube,
            at,
            CommandCall.Of(
                "diagnostics",
                "trace",
                [.. arguments.Split(' ').Select(argument => (argument.Split('=')[0], argument.Split('=')[1]))]
            )
        );

    private static CommandResult Await(TestCube cube, string at, CommandCall call)
    {
        Assert.True(Coordinate.TryParse(at, out Coordinate server));
        return cube.Await(cube[server].Gate.RunCommandAsync(call));
    }

    private static JsonElement Parse(CommandResult result) => JsonSerializer.Deserialize<JsonElement>(result.Text);

    private static JsonElement[] Rows(JsonElement trace) => [.. trace.GetProperty("hops").EnumerateArray()];

    private static string Text(JsonElement of, string name) => of.GetProperty(name).GetString()!;

    private static long Nanos(JsonElement row) => row.GetProperty("nanos").GetInt64();

    private static TestCube Start(int x, int y, int z, int maxFrameLength = 9_014, int traces = 64)
    {
        var cube = new TestCube(x, y, z, new SimulatorOptions { MaxFrameLength = maxFrameLength });
        cube.Add(server => new DiagnosticsService(server, new DiagnosticsOptions { TraceLimit = traces }))
            .Add(server => new SecondLoadService(server))
            .Add(server => new RoutedLoadService(server));
        cube.AwaitConverged();
        return cube;
    }
}
