using System.Net;
using CamCube.Loads.Choosing;
using CamCube.Loads.Measuring;
using CamCube.Loads.Operations;
using CamCube.Loads.Resp;
using CamCube.Loads.Runs;
using CamCube.Loads.Settings;
using CamCube.Loads.Tests.Kit;

namespace CamCube.Loads.Tests.Runs;

public sealed class LoadRunTests
{
    private static readonly LoadOptions Small = new()
    {
        Workload = Workload.Core[0],
        Records = 200,
        ValueLength = 100,
        Operations = 2_000,
        Time = Timeout.InfiniteTimeSpan,
        Connections = 4,
        Pipeline = 3,
        Patience = TimeSpan.FromSeconds(2),
    };

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("a")]
    [InlineData("d")]
    [InlineData("f")]
    public async Task Every_workload_asks_as_often_as_it_is_told_and_leaves_nothing(string name)
    {
        await using var server = new RedisFake(ports: 2);
        LoadOptions options = Small with { Workload = Workload.Core.Single(one => one.Name == name), Loops = 2 };
        using LoadRun run = await BeginAsync(options, [.. server.Endpoints]);
        LoadPhaseResult load = await RunAsync(run, LoadPhase.Load);
        Assert.Equal((200, 0, 200), (load.Tally.Done, load.Tally.Failed, server.Count));
        LoadPhaseResult result = await RunAsync(run, LoadPhase.Run);
        Assert.Equal((2_000, 0), (result.Tally.Done, result.Tally.Failed));
        Assert.Equal(options.Workload.Mix.Kinds.Select(OperationMix.NameOf), result.Rows.Select(row => row.Operation));
        LoadPhaseResult removed = await RunAsync(run, LoadPhase.Remove);
        Assert.Equal((0, 0), (removed.Tally.Failed, server.Count));
    }

    [Fact]
    public async Task Numbers_are_beside_the_records_and_are_removed_too()
    {
        await using var server = new RedisFake();
        OperationMix.TryParse("get=1,incr=1", out OperationMix mix);
        LoadOptions options = Small with { Workload = new("own", mix, KeyDistribution.Uniform), Table = 3 };
        using LoadRun run = await BeginAsync(options, [.. server.Endpoints]);
        await RunAsync(run, LoadPhase.Load);
        LoadPhaseResult result = await RunAsync(run, LoadPhase.Run);
        Assert.Equal((2_000, 0), (result.Tally.Done, result.Tally.Failed));
        Assert.InRange(server.Count, 300, 400);
        await RunAsync(run, LoadPhase.Remove);
        Assert.Equal(0, server.Count);
    }

    [Fact]
    public async Task Who_has_to_say_who_he_is_says_it_on_every_connection()
    {
        await using var server = new RedisFake { Password = "secret" };
        LoadOptions options = Small with { Login = new RespLogin(null, "secret"), Table = 2 };
        using LoadRun run = await BeginAsync(options, [.. server.Endpoints]);
        Assert.Equal(200, (await RunAsync(run, LoadPhase.Load)).Tally.Done);
        IOException e = await Assert.ThrowsAsync<IOException>(() => BeginAsync(Small, [.. server.Endpoints]));
        Assert.Contains("refuses: NOAUTH", e.Message, StringComparison.Ordinal);
        options = options with { Login = new RespLogin("me", "guess") };
        e = await Assert.ThrowsAsync<IOException>(() => BeginAsync(options, [.. server.Endpoints]));
        Assert.Contains("refuses: WRONGPASS", e.Message, StringComparison.Ordinal);
    }

    // Behind a SELECT that fails everything would go to another table.
    [Fact]
    public async Task Where_the_table_cannot_be_chosen_nothing_is_asked()
    {
        await using var server = new RedisFake();
        LoadOptions options = Small with { Table = 5, Patience = TimeSpan.FromSeconds(1) };
        using LoadRun run = await BeginAsync(options, [.. server.Endpoints]);
        server.Answers["SELECT"] = "-ERR DB index is out of range\r\n";
        LoadPhaseResult result = await RunAsync(run, LoadPhase.Load);
        Assert.Equal((0, true, 0), (result.Tally.Done, result.IsGone, server.Count));
    }

    [Fact]
    public async Task A_value_of_another_key_is_seen()
    {
        await using var server = new RedisFake(RedisFault.Foreign);
        using LoadRun run = await BeginAsync(Small, [.. server.Endpoints]);
        await RunAsync(run, LoadPhase.Load);
        LoadPhaseResult result = await RunAsync(run, LoadPhase.Run);
        Assert.InRange(result.Rows[0].Errors["wrong"], 10, 40);
        Assert.Equal(2_000, result.Tally.Done + result.Tally.Failed);
    }

    [Theory]
    [InlineData("-MOVED 3999 127.0.0.1:6381\r\n", "MOVED")]
    [InlineData("-\r\n", "error")]
    [InlineData(":1\r\n", "wrong")]
    [InlineData("$-1\r\n", "notFound")]
    [InlineData("$-7\r\n", "protocol")]
    [InlineData("+a\r\n+b\r\n", "wrong")]
    public async Task What_a_server_says_instead_is_counted_by_its_kind(string said, string kind)
    {
        await using var server = new RedisFake();
        server.Answers["GET"] = said;
        LoadOptions options = Small with { Workload = Workload.Core[2], Operations = 50, Pipeline = 1 };
        using LoadRun run = await BeginAsync(options, [.. server.Endpoints]);
        LoadPhaseResult result = await RunAsync(run, LoadPhase.Run);
        Assert.Equal((0, 50), (result.Tally.Done, result.Tally.Failed));
        Assert.Contains(kind, result.Rows[0].Errors.Keys);
    }

    [Theory]
    [InlineData("+", 70_000, false, "protocol")]
    [InlineData("$5\r\nab", 0, true, "closed")]
    [InlineData("$5\r\nab", 0, false, "timeout")]
    [InlineData("*1048577\r\n", 0, false, "protocol")]
    public async Task A_server_that_means_harm_costs_no_more_than_its_own_answers(
        string said,
        int more,
        bool closes,
        string kind
    )
    {
        await using var server = new SaidServer(said + new string('a', more), closes);
        LoadOptions options = Small with
        {
            Workload = Workload.Core[2],
            Operations = 40,
            Patience = TimeSpan.FromSeconds(kind == "timeout" ? 0.5 : 10),
        };
        using LoadRun run = await BeginAsync(options, [server.Endpoint]);
        LoadPhaseResult result = await RunAsync(run, LoadPhase.Run);
        Assert.Equal((0, 40, false), (result.Tally.Done, result.Tally.Failed, result.IsGone));
        Assert.Equal(40, result.Rows[0].Errors[kind]);
    }

    [Fact]
    public async Task Connections_that_end_are_made_anew_and_what_was_on_its_way_has_failed()
    {
        await using var server = new RedisFake(ports: 2) { Breaks = true };
        using LoadRun run = await BeginAsync(Small, [.. server.Endpoints]);
        LoadPhaseResult result = await RunAsync(run, LoadPhase.Run);
        Assert.Equal(2_000, result.Tally.Done + result.Tally.Failed);
        Assert.False(result.IsGone);
        Assert.True(result.Rows.Sum(static row => row.Errors.GetValueOrDefault("closed")) > 10);
    }

    [Fact]
    public async Task One_of_two_servers_that_is_not_there_leaves_the_other_to_all()
    {
        await using var server = new RedisFake();
        await using var gone = new SaidServer("");
        IPEndPoint nobody = gone.Endpoint;
        await gone.DisposeAsync();
        using LoadRun run = await BeginAsync(Small, [nobody, server.Endpoints[0]]);
        LoadPhaseResult result = await RunAsync(run, LoadPhase.Load);
        Assert.Equal((200, 0, false), (result.Tally.Done, result.Tally.Failed, result.IsGone));
    }

    [Fact]
    public async Task Servers_that_are_gone_for_good_end_it()
    {
        var server = new RedisFake();
        LoadOptions options = Small with { Operations = 0, Patience = TimeSpan.FromSeconds(0.5) };
        using LoadRun run = await BeginAsync(options, [.. server.Endpoints]);
        await server.DisposeAsync();
        LoadPhaseResult result = await RunAsync(run, LoadPhase.Run);
        Assert.True(result.IsGone);
        Assert.InRange(result.Seconds, 0.4, 10);
    }

    // What is sent late because others wait is late from when it was to be sent: an answer of 0.4 s delays all of it.
    [Fact]
    public async Task By_the_clock_a_server_that_stands_still_makes_all_late_that_were_to_come_meanwhile()
    {
        await using var server = new RedisFake();
        int count = 0;
        server.Before = words =>
        {
            if (words[0] == "GET" && ++count == 200)
            {
                Thread.Sleep(400);
            }
        };
        LoadOptions options = Small with
        {
            Workload = Workload.Core[2],
            Operations = 1_000,
            Connections = 1,
            Pipeline = 1,
            Rate = 1_000,
        };
        using LoadRun run = await BeginAsync(options, [.. server.Endpoints]);
        await RunAsync(run, LoadPhase.Load);
        LoadPhaseResult result = await RunAsync(run, LoadPhase.Run);
        LatencyHistogram times = result.Tally.Times(OperationKind.Get)!;
        Assert.Equal(1_000, times.Count);

        // 400 were to begin while it stood still, and waited 0.2 s in the mean.
        Assert.InRange(times.At(0.75), 50_000_000, 10_000_000_000);
        Assert.InRange(times.MaxNanos, 380_000_000, 10_000_000_000);

        // Each after the other it is one alone.
        count = 0;
        using LoadRun closed = await BeginAsync(options with { Rate = 0 }, [.. server.Endpoints]);
        times = (await RunAsync(closed, LoadPhase.Run)).Tally.Times(OperationKind.Get)!;
        Assert.InRange(times.At(0.75), 0, 50_000_000);
        Assert.InRange(times.MaxNanos, 380_000_000, 10_000_000_000);
    }

    [Fact]
    public async Task Nobody_there_is_said()
    {
        var server = new SaidServer("");
        await server.DisposeAsync();
        IOException e = await Assert.ThrowsAsync<IOException>(() => BeginAsync(Small, [server.Endpoint]));
        Assert.Contains($"{server.Endpoint}", e.Message, StringComparison.Ordinal);
        await using var other = new SaidServer("HTTP/1.1 400\r\n", knowsPing: false);
        e = await Assert.ThrowsAsync<IOException>(() => BeginAsync(Small, [other.Endpoint]));
        Assert.Contains("does not speak Redis' protocol", e.Message, StringComparison.Ordinal);
        await using var closed = new SaidServer("-NOAUTH Authentication required.\r\n", knowsPing: false);
        e = await Assert.ThrowsAsync<IOException>(() => BeginAsync(Small, [closed.Endpoint]));
        Assert.Contains("NOAUTH", e.Message, StringComparison.Ordinal);
    }

    private static Task<LoadRun> BeginAsync(LoadOptions options, IReadOnlyList<IPEndPoint> servers) =>
        LoadRun.BeginAsync(
            options,
            LoadTarget.Redis,
            [.. servers.Select(static one => new LoadEndpoint($"{one.Address}", one.Port))],
            Cancel
        );

    private static Task<LoadPhaseResult> RunAsync(LoadRun run, LoadPhase phase) =>
        run.RunAsync(phase, static _ => { }, Cancel);
}
