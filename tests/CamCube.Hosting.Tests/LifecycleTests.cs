using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text.Json;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests;

/// <summary>Order of start and stop, and what a client sees of it, with a cube that only writes down what it is
/// told.</summary>
public sealed class LifecycleTests
{
    [Fact]
    public async Task The_ready_text_names_servers_shim_ports_memory_and_what_to_try()
    {
        FakeCubeFactory cube = new();
        await using TestHost host = await TestHost.StartAsync(cube);

        Assert.Equal(
            [
                $"CamCube ready: 27 servers (3x3x3), shim Simulator, "
                    + $"echo 127.0.0.1:{host.EchoPort}-{host.EchoPort + 26}, "
                    + $"http 127.0.0.1:{host.HttpPort}-{host.HttpPort + 26}",
                "memory: echo 1.5 MiB per server (MemoryLimit 1 MiB, SpareMemory 512 KiB), 40.5 MiB in all",
                "Try:",
                $"  curl http://127.0.0.1:{host.HttpPort}/api/status",
                $"  dotnet run --project tools/camcube -- status --host http://127.0.0.1:{host.HttpPort}",
            ],
            host.Output.Lines
        );
        Assert.Equal(0, await host.StopAsync());
        Assert.Empty(host.Errors.Lines);
    }

    [Fact]
    public async Task One_server_has_no_range_of_ports()
    {
        await using TestHost host = await TestHost.StartAsync(new FakeCubeFactory(), ["--shape", "1x1x1"]);

        Assert.Equal(
            $"CamCube ready: 1 server (1x1x1), shim Simulator, echo 127.0.0.1:{host.EchoPort}, "
                + $"http 127.0.0.1:{host.HttpPort}",
            host.Output.Lines[0]
        );
    }

    [Fact]
    public async Task A_front_end_without_a_port_says_itself_where_it_is_and_runs_only_where_somebody_wants_it()
    {
        await using TestHost host = await TestHost.StartAsync(
            new FakeCubeFactory(),
            ["--shape", "2x1x1", "--FrontEnds:echo-card:Enabled=true"]
        );

        Assert.StartsWith(
            "CamCube ready: 2 servers (2x1x1), shim Simulator, echo-card card of 0,0,0, port 0, echo 127.0.0.1:",
            host.Output.Lines[0],
            StringComparison.Ordinal
        );
        Assert.Equal(0, await host.StopAsync());
        Assert.Empty(host.Errors.Lines);
    }

    [Fact]
    public async Task The_cube_starts_before_the_front_ends_and_stops_after_them()
    {
        FakeCubeFactory cube = new();
        await using TestHost host = await TestHost.StartAsync(cube);
        using EchoClient client = await host.ConnectAsync(26);
        Assert.Equal("hello 2,2,2", client.Greeting);

        Assert.Equal(0, await host.StopAsync());

        Assert.Null(await client.ReadAsync());
        Assert.Equal(["cube starts", "cube started", "cube stops", "cube disposed"], cube.Journal.Entries);
    }

    [Fact]
    public async Task Http_answers_not_ready_with_the_stage_until_everything_runs()
    {
        TaskCompletionSource mayStart = new();
        await using TestHost host = TestHost.Begin(new FakeCubeFactory { MayStart = mayStart.Task });

        JsonElement early = await FirstAnswerAsync(host, "/health/ready");
        Assert.Equal("starting", early.GetProperty("status").GetString());
        Assert.Equal("the cube: starting", Assert.Single(early.GetProperty("reasons").EnumerateArray()).GetString());
        Assert.Equal("live", (await FirstAnswerAsync(host, "/health/live")).GetProperty("status").GetString());
        Assert.Equal("starting", (await host.StatusAsync()).GetProperty("phase").GetString());
        using HttpResponseMessage order = await host.Http.PostAsync("/api/servers/0/stop", null).SoonAsync();
        Assert.Equal(HttpStatusCode.ServiceUnavailable, order.StatusCode);
        Assert.Empty(host.Output.Lines);

        mayStart.SetResult();
        await host.Output.LineAsync("CamCube ready").SoonAsync();
        using HttpResponseMessage late = await host.Http.GetAsync("/health/ready").SoonAsync();
        Assert.Equal(HttpStatusCode.OK, late.StatusCode);
    }

    [Fact]
    public async Task A_stop_during_the_start_ends_cleanly()
    {
        FakeCubeFactory cube = new() { MayStart = new TaskCompletionSource().Task };
        await using TestHost host = TestHost.Begin(cube);
        await FirstAnswerAsync(host, "/health/live");

        Assert.Equal(0, await host.StopAsync());
        Assert.Equal("cube disposed", cube.Journal.Entries[^1]);
    }

    [Fact]
    public async Task A_cube_that_an_error_ends_is_told_in_log_and_health_and_ends_the_process_with_1()
    {
        TaskCompletionSource mayStop = new();
        FakeCubeFactory cube = new() { MayStop = mayStop.Task };
        await using TestHost host = await TestHost.StartAsync(cube);
        await host.Http.GetAsync("/health/live").SoonAsync();

        cube.Ended.SetException(new InvalidOperationException("somebody's\nmistake"));
        const string Reason = "the cube has ended: InvalidOperationException: somebody's mistake";
        foreach (
            (string path, string status) in ((string, string)[])[("/health/live", "dead"), ("/health/ready", "failed")]
        )
        {
            using HttpResponseMessage health = await host.Http.GetAsync(path).SoonAsync();
            Assert.Equal(HttpStatusCode.ServiceUnavailable, health.StatusCode);
            JsonElement answer = await health.Content.ReadFromJsonAsync<JsonElement>();
            Assert.Equal(status, answer.GetProperty("status").GetString());
            Assert.Equal(Reason, Assert.Single(answer.GetProperty("reasons").EnumerateArray()).GetString());
        }

        using HttpResponseMessage order = await host.Http.PostAsync("/api/servers/0/stop", null).SoonAsync();
        Assert.Equal(HttpStatusCode.ServiceUnavailable, order.StatusCode);
        mayStop.SetResult();
        Assert.Equal(1, await host.Exit.SoonAsync());
        Assert.Equal($"CamCube failed: {Reason}", host.Errors.Lines[^1]);
    }

    [Fact]
    public async Task A_cube_that_an_error_ends_during_the_start_ends_the_process_with_1_too()
    {
        FakeCubeFactory cube = new();
        cube.Ended.SetException(new InvalidOperationException("early"));
        await using TestHost host = TestHost.Begin(cube);
        Assert.Equal(1, await host.Exit.SoonAsync());
        Assert.Contains("early", host.Errors.Lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Http_answers_until_the_cube_has_stopped()
    {
        TaskCompletionSource mayStop = new();
        FakeCubeFactory cube = new() { MayStop = mayStop.Task };
        await using TestHost host = await TestHost.StartAsync(cube);
        await host.Http.GetAsync("/health/live").SoonAsync();

        await host.Stop.CancelAsync();
        JsonElement answer;
        do
        {
            answer = await FirstAnswerAsync(host, "/health/ready");
        } while (answer.GetProperty("status").GetString() != "stopping");
        mayStop.SetResult();

        Assert.Equal(0, await host.Exit.SoonAsync());
    }

    [Fact]
    public async Task A_cube_that_does_not_stop_does_not_hold_up_the_end()
    {
        FakeCubeFactory cube = new() { MayStop = new TaskCompletionSource().Task };
        await using TestHost host = await TestHost.StartAsync(cube, ["--Logging:LogLevel:Default=None"]);
        long began = TimeProvider.System.GetTimestamp();

        Assert.Equal(0, await host.StopAsync());
        Assert.InRange(TimeProvider.System.GetElapsedTime(began).TotalSeconds, 0, 5);
    }

    [Fact]
    public async Task A_command_that_does_not_end_does_not_hold_up_the_end()
    {
        FakeCubeFactory cube = new();
        await using TestHost host = await TestHost.StartAsync(cube);
        Task<HttpResponseMessage> command = host.Http.PostAsync("/api/servers/0/services/echo/forever", null);
        do
        {
            await host.StatusAsync();
        } while (cube.Journal.Entries[^1] != "command forever");

        Assert.Equal(0, await host.StopAsync());
        using HttpResponseMessage answer = await command.SoonAsync();
        Assert.Equal(HttpStatusCode.ServiceUnavailable, answer.StatusCode);
    }

    [Fact]
    public async Task Stopping_a_server_closes_its_front_end_first_and_starting_is_the_reverse()
    {
        FakeCubeFactory cube = new();
        await using TestHost host = await TestHost.StartAsync(cube);
        using EchoClient client = await host.ConnectAsync(13);
        using EchoClient other = await host.ConnectAsync(12);

        using HttpResponseMessage stop = await host.Http.PostAsync("/api/servers/1,1,1/stop", null).SoonAsync();
        JsonElement stopped = await stop.Content.ReadFromJsonAsync<JsonElement>();
        Assert.Equal("stopped", stopped.GetProperty("state").GetString());
        Assert.Equal(["http"], stopped.GetProperty("ports").EnumerateObject().Select(p => p.Name));
        Assert.Null(await client.ReadAsync());
        await Assert.ThrowsAnyAsync<SocketException>(() => host.ConnectAsync(13));
        Assert.StartsWith("error ", await other.AskAsync("still there"), StringComparison.Ordinal);

        using HttpResponseMessage again = await host.Http.PostAsync("/api/servers/13/stop", null).SoonAsync();
        Assert.Equal(HttpStatusCode.OK, again.StatusCode);

        using HttpResponseMessage start = await host.Http.PostAsync("/api/servers/13/start", null).SoonAsync();
        JsonElement started = await start.Content.ReadFromJsonAsync<JsonElement>();
        Assert.Equal("running", started.GetProperty("state").GetString());
        Assert.Equal(host.EchoPort + 13, started.GetProperty("ports").GetProperty("echo").GetInt32());
        using EchoClient back = await host.ConnectAsync(13);
        Assert.Equal("hello 1,1,1", back.Greeting);
        Assert.Equal(
            ["server 13 stops", "server 13 stops", "server 13 starts"],
            cube.Journal.Entries.Where(entry => entry.StartsWith("server", StringComparison.Ordinal))
        );
    }

    [Fact]
    public async Task A_front_end_that_cannot_start_ends_the_host_with_its_own_words()
    {
        FakeCubeFactory cube = new();
        await using TestHost host = await TestHost.StartAsync(cube, ["--FrontEnds:echo:Broken=1,0,0"]);

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Equal(
            $"front end echo of server 1,0,0, port {host.EchoPort + 1}: it is broken, as it was told to be",
            Assert.Single(host.Errors.Lines)
        );
        Assert.Equal(["cube starts", "cube started", "cube stops", "cube disposed"], cube.Journal.Entries);
        Assert.True(FreePorts.IsFree(host.EchoPort));
    }

    [Fact]
    public async Task A_port_that_is_taken_during_the_start_is_named_with_an_alternative()
    {
        TaskCompletionSource mayStart = new();
        await using TestHost host = TestHost.Begin(new FakeCubeFactory { MayStart = mayStart.Task });
        await FirstAnswerAsync(host, "/health/live");
        using TcpListener taken = new(IPAddress.Loopback, host.EchoPort + 20);
        taken.Start();
        mayStart.SetResult();

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.StartsWith(
            $"port {host.EchoPort + 20} on 127.0.0.1 is taken (setting CamCube:FrontEnds:echo:Port). Try: dotnet run",
            Assert.Single(host.Errors.Lines),
            StringComparison.Ordinal
        );
    }

    // What may pass is tried again by whoever keeps it running, as systemd does; a mistake is not.
    [Theory]
    [InlineData(false, 2)]
    [InlineData(true, 1)]
    public async Task A_link_provider_that_cannot_open_its_links_ends_the_host_with_its_own_words(
        bool mayPass,
        int exitCode
    )
    {
        await using TestHost host = await TestHost.StartAsync(
            new FakeCubeFactory
            {
                CreateFailure = new LinkProviderException("eth7 is not there; there are eth0 and eth1.")
                {
                    MayPass = mayPass,
                },
            }
        );

        Assert.Equal(exitCode, await host.Exit.SoonAsync());
        Assert.Equal(
            "CamCube:Shim = 'Simulator': eth7 is not there; there are eth0 and eth1.",
            Assert.Single(host.Errors.Lines)
        );
    }

    [Fact]
    public async Task A_failure_that_nobody_foresaw_shows_its_stack_and_exits_with_1()
    {
        await using TestHost host = await TestHost.StartAsync(
            new FakeCubeFactory { StartFailure = new InvalidOperationException("a bug") }
        );

        Assert.Equal(1, await host.Exit.SoonAsync());
        Assert.StartsWith(
            "CamCube failed: System.InvalidOperationException: a bug",
            Assert.Single(host.Errors.Lines),
            StringComparison.Ordinal
        );
    }

    private static async Task<JsonElement> FirstAnswerAsync(TestHost host, string path)
    {
        while (true)
        {
            try
            {
                using HttpResponseMessage answer = await host.Http.GetAsync(path).SoonAsync();
                return await answer.Content.ReadFromJsonAsync<JsonElement>();
            }
            catch (HttpRequestException) when (!host.Exit.IsCompleted)
            {
                // The port is not open yet.
                await Task.Yield();
            }
        }
    }
}
