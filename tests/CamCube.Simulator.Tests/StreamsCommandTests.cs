using System.Text.Json;
using CamCube.Runtime.Services;
using CamCube.Services.Diagnostics.Streams;
using CamCube.Testing;

namespace CamCube.Simulator.Tests;

/// <summary>The command send of the service streams: how fast streams between two servers are, and that nothing is left
/// of them.</summary>
public sealed class StreamsCommandTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(0, 1, 0);

    [Fact]
    public void All_link_disjoint_paths_are_filled_and_each_is_told()
    {
        using TestCube cube = Start();
        JsonElement all = Answer(cube, cube.Await(Begin(cube, A, "to=1,1,1 bytes=50000000")));
        Assert.Equal(
            ["from", "to", "bytes", "seconds", "goodputBitsPerSecond", "end", "paths", "streams"],
            all.EnumerateObject().Select(property => property.Name)
        );
        Assert.Equal(
            "0,0,0 1,1,1 50000000 Finished",
            $"{all.GetProperty("from")} {all.GetProperty("to")} {all.GetProperty("bytes")} {all.GetProperty("end")}"
        );
        JsonElement[] paths = [.. all.GetProperty("paths").EnumerateArray()];
        Assert.Equal(["+x", "+y", "+z"], paths.Select(path => $"{path.GetProperty("link")}"));
        Assert.Equal(
            ["link", "bytes", "lost", "marked", "window", "roundTripMicros"],
            paths[0].EnumerateObject().Select(property => property.Name)
        );
        Assert.InRange(paths.Sum(path => path.GetProperty("bytes").GetInt64()), 50_000_000, 52_000_000);
        Assert.All(paths, path => Assert.Equal(0, path.GetProperty("lost").GetInt64()));
        Assert.All(paths, path => Assert.InRange(path.GetProperty("roundTripMicros").GetDouble(), 10, 10_000));
        Assert.All(paths, path => Assert.InRange(path.GetProperty("window").GetDouble(), 2, 10_000));
        Assert.InRange(Rate(all), 2.85e9, 3e9);
        JsonElement stream = Assert.Single(all.GetProperty("streams").EnumerateArray());
        Assert.Equal("50000000 Finished", $"{stream.GetProperty("bytes")} {stream.GetProperty("end")}");

        // Of a second command nothing is in the numbers of the first, nor the other way round.
        JsonElement one = Answer(cube, cube.Await(Begin(cube, A, "to=1,1,1 bytes=1000000 paths=one count=3")));
        JsonElement path = Assert.Single(one.GetProperty("paths").EnumerateArray());
        Assert.InRange(path.GetProperty("bytes").GetInt64(), 1_000_000, 1_100_000);
        Assert.Equal([333_334, 333_333, 333_333], Bytes(one));
        Assert.InRange(Rate(one), 0.6e9, 1e9);

        JsonElement cable = Answer(cube, cube.Await(Begin(cube, A, "to=1,0,0 paths=px for=50ms count=2")));
        Assert.Equal("+x", $"{Assert.Single(cable.GetProperty("paths").EnumerateArray()).GetProperty("link")}");
        Assert.InRange(cable.GetProperty("seconds").GetDouble(), 0.05, 0.0511);
        Assert.InRange(Rate(cable), 0.9e9, 1e9);
        AssertNothingLeft(cube);
    }

    [Theory]
    [InlineData("to=3,0,0", "to=3,0,0 is outside of 3x3x3.")]
    [InlineData("to=0,0,0", "to=0,0,0 is this very server; name another.")]
    [InlineData("to=1,0,0 bytes=0", "bytes=0: allowed is 1 to 100000000000000.")]
    [InlineData("to=1,0,0 bytes=-1", "bytes=-1: ")]
    [InlineData("to=1,0,0 bytes=1e30", "bytes=1e30: ")]
    [InlineData("to=1,0,0 bytes=200000000000000", "bytes=200000000000000: allowed is 1 to 100000000000000.")]
    [InlineData("to=1,0,0 count=0", "count=0: allowed is 1 to 100000.")]
    [InlineData("to=1,0,0 count=100001", "count=100001: allowed is 1 to 100000.")]
    [InlineData("to=1,0,0 count=20000", "count=20000 is more than the 16384 streams that a server has here.")]
    [InlineData("to=1,0,0 for=0s", "for=0s: allowed is 1 ms to 60 min.")]
    [InlineData("to=1,0,0 paths=local", "paths must be all, one, +x, -x, +y, -y, +z or -z.")]
    [InlineData("to=1,0,0 paths=-x", "paths=-x leads from 0,0,0 to 2,0,0, not to 1,0,0.")]
    public void What_cannot_be_is_refused_in_a_line(string arguments, string says)
    {
        using TestCube cube = Start();
        CommandResult result = cube.Await(Begin(cube, A, arguments));
        Assert.Equal(CommandStatus.Refused, result.Status);
        Assert.StartsWith(says, result.Text, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', result.Text);
        AssertNothingLeft(cube);
    }

    [Fact]
    public void A_link_without_a_cable_and_a_server_without_a_way_are_refused()
    {
        using TestCube flat = Start(3, 3, 1);
        Assert.Equal(
            "paths=+z: 0,0,0 has no cable there in 3x3x1.",
            flat.Await(Begin(flat, A, "to=1,0,0 paths=+z")).Text
        );
        flat.Kill(B);
        flat.AwaitConverged();
        Assert.Equal("to=1,0,0: no way there is known.", flat.Await(Begin(flat, A, "to=1,0,0")).Text);
        AssertNothingLeft(flat);
    }

    [Fact]
    public void Commands_share_a_link_fairly_however_many_streams_each_has()
    {
        using TestCube cube = Start();
        ValueTask<CommandResult>[] crowd =
        [
            .. Enumerable
                .Range(0, 12)
                .Select(i => Begin(cube, A, $"to=1,0,0 paths=+x for=400ms count={1 + (7 * (i % 2))} run={i + 1}")),
        ];
        cube.Advance(TimeSpan.FromMilliseconds(100));
        JsonElement progress = Answer(cube, cube.Await(Ask(cube, A, "progress", "run=3")));
        Assert.InRange(progress.GetProperty("seconds").GetDouble(), 0.099, 0.102);
        Assert.InRange(progress.GetProperty("bytes").GetInt64(), 500_000, 2_000_000);

        // The other way on the same cable meanwhile, at full rate.
        JsonElement back = Answer(cube, cube.Await(Begin(cube, B, "to=0,0,0 paths=-x for=200ms")));
        Assert.InRange(Rate(back), 0.9e9, 1e9);
        double[] rates = [.. crowd.Select(asked => Rate(Answer(cube, cube.Await(asked))))];
        double jain = Math.Pow(rates.Sum(), 2) / (rates.Length * rates.Sum(rate => rate * rate));
        Assert.InRange(jain, 0.99, 1);
        Assert.Equal("No command with run=3 sends here now.", cube.Await(Ask(cube, A, "progress", "run=3")).Text);
        AssertNothingLeft(cube);
    }

    [Fact]
    public void More_commands_than_the_settings_allow_are_refused_and_the_others_go_on()
    {
        using TestCube cube = Start(options: new StreamsOptions { Commands = 2, Streams = 5 });
        ValueTask<CommandResult>[] first = [.. Enumerable.Range(0, 2).Select(_ => Begin(cube, A, "to=1,0,0 for=1s"))];
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(
            "2 commands send from 0,0,0 already; try again later.",
            cube.Await(Begin(cube, A, "to=1,0,0")).Text
        );

        // Of eight from two servers five find room at the reader, or fewer.
        ValueTask<CommandResult>[] more =
        [
            Begin(cube, C, "to=1,0,0 count=4 bytes=4000000"),
            Begin(cube, new(2, 2, 2), "to=1,0,0 count=4 bytes=4000000"),
        ];
        string[] ends =
        [
            .. more.SelectMany(asked =>
                Answer(cube, cube.Await(asked))
                    .GetProperty("streams")
                    .EnumerateArray()
                    .Select(stream => $"{stream.GetProperty("end")}")
            ),
        ];
        Assert.Equal(["Finished", "Refused"], ends.Distinct().Order());
        Assert.All(first, asked => Assert.Equal("Finished", $"{Answer(cube, cube.Await(asked)).GetProperty("end")}"));
        AssertNothingLeft(cube);
    }

    [Fact]
    public void Among_a_crowd_one_that_never_reads_and_opens_what_nobody_wants_harms_only_who_sends_to_it()
    {
        using TestCube cube = Start(hostile: C);
        ValueTask<CommandResult>[] crowd =
        [
            Begin(cube, A, "to=1,0,0 bytes=20000000"),
            Begin(cube, B, "to=2,2,2 bytes=20000000 count=4"),
            Begin(cube, new(2, 2, 2), "to=0,0,0 bytes=20000000"),
        ];
        ValueTask<CommandResult> stuck = Begin(cube, A, "to=0,1,0 for=100ms");
        long began = cube.NowNanos;
        Assert.All(crowd, asked => Assert.Equal("Finished", $"{Answer(cube, cube.Await(asked)).GetProperty("end")}"));
        JsonElement end = Answer(cube, cube.Await(stuck));
        Assert.Equal("Closed", $"{end.GetProperty("end")}");
        Assert.InRange(cube.NowNanos - began, 10_100_000_000, 10_200_000_000);
        Assert.InRange(end.GetProperty("seconds").GetDouble(), 0.1, 0.102);
        Assert.InRange(end.GetProperty("bytes").GetInt64(), 4_096, 1 << 20);
        cube.Kill(C);
        cube.AwaitConverged();
        AssertNothingLeft(cube);
    }

    [Fact]
    public void A_reader_that_is_killed_ends_the_streams_with_PeerLost_and_the_others_go_on()
    {
        using TestCube cube = Start();
        ValueTask<CommandResult> lost = Begin(cube, A, "to=1,0,0 count=3 bytes=1000000000"),
            other = Begin(cube, A, "to=0,1,0 bytes=100000000");
        cube.Advance(TimeSpan.FromMilliseconds(50));
        cube.Kill(B);
        long killed = cube.NowNanos;
        JsonElement end = Answer(cube, cube.Await(lost));
        Assert.InRange(cube.NowNanos - killed, 0, 400_000_000);
        Assert.Equal("PeerLost", $"{end.GetProperty("end")}");
        Assert.All(
            end.GetProperty("streams").EnumerateArray(),
            stream => Assert.Equal("PeerLost", $"{stream.GetProperty("end")}")
        );
        Assert.InRange(end.GetProperty("bytes").GetInt64(), 1_000_000, 100_000_000);
        Assert.Equal(Bytes(end).Sum(), end.GetProperty("bytes").GetInt64());
        Assert.Equal("Finished", $"{Answer(cube, cube.Await(other)).GetProperty("end")}");
        AssertNothingLeft(cube);
    }

    [Fact]
    public void When_the_client_has_gone_nothing_is_left_on_either_side()
    {
        using TestCube cube = Start();
        using CancellationTokenSource gone = new();
        ValueTask<CommandResult>[] asked =
        [
            .. Enumerable
                .Range(0, 10)
                .Select(i => Begin(cube, A, $"to=1,0,0 count={1 + (50 * i)} for=60min", gone.Token)),
        ];
        ValueTask<CommandResult> stays = Begin(cube, A, "to=1,0,0 for=300ms");
        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.True(Streams(cube, A).Endpoint.Streams > 2_000);
        Assert.True(Streams(cube, B).Endpoint.Streams > 100);
        gone.Cancel();
        Assert.All(asked, one => Assert.Equal(CommandStatus.Cancelled, cube.Await(one).Status));
        cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal((1, 1), (Streams(cube, A).Endpoint.Streams, Streams(cube, B).Endpoint.Streams));
        Assert.Equal("Finished", $"{Answer(cube, cube.Await(stays)).GetProperty("end")}");
        AssertNothingLeft(cube);
    }

    [Fact]
    public void When_the_writer_stops_in_order_or_not_the_reader_forgets_it()
    {
        using TestCube cube = Start();
        ValueTask<CommandResult> stopped = Begin(cube, A, "to=1,0,0 for=60min"),
            killed = Begin(cube, C, "to=1,0,0 for=60min");
        cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.Equal(2, Streams(cube, B).Endpoint.Streams);
        cube.Shutdown(A);
        Assert.False(cube.Await(stopped).IsOk);
        cube.Kill(C);
        Assert.False(cube.Await(killed).IsOk);
        cube.AwaitConverged();
        AssertNothingLeft(cube);
    }

    private static double Rate(JsonElement answer) => answer.GetProperty("goodputBitsPerSecond").GetDouble();

    private static long[] Bytes(JsonElement answer) =>
        [.. answer.GetProperty("streams").EnumerateArray().Select(stream => stream.GetProperty("bytes").GetInt64())];

    private static StreamsService Streams(TestCube cube, Coordinate server) => cube[server].Service<StreamsService>();

    private static void AssertNothingLeft(TestCube cube, Coordinate? hostile = null)
    {
        cube.Advance(TimeSpan.FromSeconds(1));
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            if (cube[rank].IsRunning && hostile != cube.Shape.At(rank))
            {
                var endpoint = Streams(cube, cube.Shape.At(rank)).Endpoint;
                Assert.Equal((0, 0, 0), (endpoint.Streams, endpoint.SendBytes, endpoint.ReceiveBytes));
            }
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Of_a_crowd_with_losses_all_bytes_are_compared_and_one_changed_byte_is_noticed()
    {
        using TestCube cube = Start();
        var random = new Random(1);
        bool isHostile = false;
        cube.Lose = (server, _, packet) =>
        {
            if (isHostile && packet.Service.Value == 0x0103 && packet.Source == C && packet.BodyLength > 1_000)
            {
                packet.WritableBody()[^1] ^= 1;
                isHostile = false;
            }

            return packet.Service.Value == 0x0103 && random.Next(50) == 0;
        };
        ValueTask<CommandResult>[] sent =
        [
            .. Enumerable
                .Range(0, cube.Shape.Count)
                .Select(cube.Shape.At)
                .Where(from => from != B && from != C)
                .Select((from, i) => Begin(cube, from, $"to=1,0,0 verify=true count=2 bytes={1 + (i * 40_000)}")),
        ];
        cube.Advance(TimeSpan.FromMilliseconds(2));
        isHostile = true;
        JsonElement changed = Answer(cube, cube.Await(Begin(cube, C, "to=1,0,0 verify=true bytes=500000")));
        Assert.Equal("Different", $"{changed.GetProperty("end")}");
        Assert.False(changed.GetProperty("streams")[0].TryGetProperty("sha256", out _));
        foreach (ValueTask<CommandResult> each in sent)
        {
            JsonElement answer = Answer(cube, cube.Await(each));
            Assert.Equal("Finished", $"{answer.GetProperty("end")}");
            Assert.All(
                answer.GetProperty("streams").EnumerateArray(),
                stream => Assert.Equal(64, stream.GetProperty("sha256").GetString()!.Length)
            );
        }

        cube.Lose = null;
        AssertNothingLeft(cube);
    }

    private static ValueTask<CommandResult> Begin(
        TestCube cube,
        Coordinate from,
        string arguments,
        CancellationToken cancel = default
    ) => Ask(cube, from, "send", arguments, cancel);

    private static ValueTask<CommandResult> Ask(
        TestCube cube,
        Coordinate at,
        string command,
        string arguments,
        CancellationToken cancel = default
    ) =>
        cube[at]
            .Gate.RunCommandAsync(
                CommandCall.Of(
                    "streams",
                    command,
                    [.. arguments.Split(' ').Select(a => (a.Split('=')[0], a.Split('=')[1]))]
                ),
                cancel
            );

    private static JsonElement Answer(TestCube cube, CommandResult result)
    {
        Assert.True(result.IsOk, $"{result} at {cube.NowNanos} ns");
        return JsonDocument.Parse(result.Body).RootElement;
    }

    private static TestCube Start(
        int x = 3,
        int y = 3,
        int z = 3,
        StreamsOptions? options = null,
        Coordinate? hostile = null
    )
    {
        var cube = new TestCube(x, y, z);
        cube.Add(
            ServiceDefinition.Of(
                typeof(StreamsService),
                activation =>
                    activation.Server.Coordinate == hostile
                        ? new HostileReader(activation.Server)
                        : new StreamsService(activation.Server, options ?? new StreamsOptions())
            )
        );
        cube.AwaitConverged();
        return cube;
    }
}
