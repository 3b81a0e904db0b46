using System.Net;
using System.Text.Json;
using CamCube.Host;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Live;

/// <summary>The host with the real simulated cube and services from a real plug-in folder.</summary>
public sealed class LiveHostTests
{
    [Fact]
    public async Task Clients_reach_the_service_of_their_server_through_its_own_port()
    {
        await using TestHost host = await StartAsync("--Services:echo:Greeting=hi");

        for (int rank = 0; rank < 27; rank += 13)
        {
            using EchoClient client = await host.ConnectAsync(rank);
            string place = new TorusShape(3, 3, 3).At(rank).ToString();
            Assert.Equal($"hello {place}", client.Greeting);
            Assert.Equal($"hi {place} there", await client.AskAsync("there"));
        }

        JsonElement status = await host.StatusAsync();
        Assert.All(
            status.GetProperty("servers").EnumerateArray(),
            s => Assert.Equal("running", s.GetProperty("state").GetString())
        );
        Assert.Equal(81, status.GetProperty("cables").GetArrayLength());
        Assert.Equal(0, await host.StopAsync());
        Assert.Empty(host.Errors.Lines);
    }

    [Fact]
    public async Task A_front_end_in_an_assembly_of_its_own_calls_the_service_that_it_names()
    {
        await using TestHost host = await StartAsync("--FrontEnds:said:Assembly=said", "--FrontEnds:said:Word=a b");

        Assert.Contains(", said echo 0,0,0 a b,", host.Output.Lines[0], StringComparison.Ordinal);
        Assert.Equal(0, await host.StopAsync());
        Assert.Empty(host.Errors.Lines);
    }

    [Fact]
    public async Task A_service_calls_another_by_the_contract_they_share()
    {
        await using TestHost host = await StartAsync("--Services:asker:Assembly=echo");

        // "echo x,y,z hello" has 16 characters.
        await UntilAsync(
            host,
            status => status.GetProperty("servers").EnumerateArray().All(s => Counter(s, "asker", "heard") == 16)
        );
    }

    [Fact]
    public async Task A_server_can_be_stopped_and_started_while_the_others_go_on()
    {
        await using TestHost host = await StartAsync();
        using EchoClient client = await host.ConnectAsync(13);

        await PostAsync(host, "/api/servers/13/stop");
        Assert.Null(await client.ReadAsync());
        await UntilAsync(host, status => Reachable(status).Where((_, rank) => rank != 13).All(n => n == 26));
        JsonElement cut = await host.StatusAsync();
        Assert.Contains(
            "down",
            cut.GetProperty("cables").EnumerateArray().Select(c => c.GetProperty("state").GetString())
        );

        await PostAsync(host, "/api/servers/13/start");
        await UntilAsync(host, status => Reachable(status).All(n => n == 27));
        using EchoClient back = await host.ConnectAsync(13);
        Assert.Equal("echo 1,1,1 hi", await back.AskAsync("hi"));
    }

    [Fact]
    public async Task A_cable_can_be_cut_and_mended()
    {
        await using TestHost host = await StartAsync();

        JsonElement cut = await PostAsync(host, "/api/cables/1,0,0/mx/cut");
        Assert.Equal("""{"rank":0,"link":"+x","neighbourRank":1,"state":"cut"}""", cut.GetRawText());
        await UntilAsync(host, status => LinkState(status, 0, "+x") == "down" && LinkState(status, 1, "-x") == "down");

        await PostAsync(host, "/api/cables/0/px/mend");
        await UntilAsync(host, status => LinkState(status, 0, "+x") == "up" && LinkState(status, 1, "-x") == "up");
        Assert.All(Reachable(await host.StatusAsync()), n => Assert.Equal(27, n));
    }

    [Fact]
    public async Task A_service_that_throws_makes_the_host_degraded_until_it_is_restarted()
    {
        await using TestHost host = await StartAsync("--Logging:LogLevel:Default=None");
        using EchoClient client = await host.ConnectAsync(5);

        Assert.StartsWith("error ", await client.AskAsync("throw"), StringComparison.Ordinal);

        await UntilAsync(
            host,
            status => Service(status.GetProperty("servers")[5], "echo").GetProperty("faults").GetInt64() >= 1
        );
        await UntilAsync(
            host,
            status => Service(status.GetProperty("servers")[5], "echo").GetProperty("state").GetString() == "running"
        );
        Assert.Equal("echo 2,1,0 again", await client.AskAsync("again"));
        using HttpResponseMessage ready = await host.Http.GetAsync("/health/ready").SoonAsync();
        Assert.Equal(HttpStatusCode.OK, ready.StatusCode);
    }

    [Theory]
    [InlineData("1x1x1", 1, 0)]
    [InlineData("2x1x1", 2, 2)]
    [InlineData("4x2x1", 8, 16)]
    public async Task Small_and_odd_shapes_run_too(string shape, int servers, int cables)
    {
        await using TestHost host = await TestHost.StartAsync(
            new SimulatorCubeFactory(TimeProvider.System),
            [$"--shape={shape}"],
            ports: servers
        );

        JsonElement status = await host.StatusAsync();
        Assert.Equal(servers, status.GetProperty("servers").GetArrayLength());
        Assert.Equal(cables, status.GetProperty("cables").GetArrayLength());
        using EchoClient client = await host.ConnectAsync(servers - 1);
        Assert.StartsWith("echo ", await client.AskAsync("x"), StringComparison.Ordinal);
        Assert.Equal(0, await host.StopAsync());
    }

    [Fact]
    public async Task One_cable_on_an_axis_of_size_2_if_it_is_said_so()
    {
        await using TestHost host = await TestHost.StartAsync(
            new SimulatorCubeFactory(TimeProvider.System),
            ["--shape=2x1x1", "--parallel-cables=false"],
            ports: 2
        );

        JsonElement status = await host.StatusAsync();
        Assert.False(status.GetProperty("parallelCables").GetBoolean());
        Assert.Single(status.GetProperty("cables").EnumerateArray());
    }

    private static Task<TestHost> StartAsync(params string[] arguments) =>
        TestHost.StartAsync(new SimulatorCubeFactory(TimeProvider.System), arguments);

    private static IEnumerable<int> Reachable(JsonElement status) =>
        status.GetProperty("servers").EnumerateArray().Select(s => s.GetProperty("reachable").GetInt32());

    private static JsonElement Service(JsonElement server, string name) =>
        server.GetProperty("services").EnumerateArray().First(s => s.GetProperty("name").GetString() == name);

    private static long Counter(JsonElement server, string service, string counter) =>
        Service(server, service)
            .GetProperty("counters")
            .EnumerateArray()
            .First(c => c.GetProperty("name").GetString() == counter)
            .GetProperty("value")
            .GetInt64();

    private static string? LinkState(JsonElement status, int rank, string link) =>
        status
            .GetProperty("servers")[rank]
            .GetProperty("links")
            .EnumerateArray()
            .First(l => l.GetProperty("link").GetString() == link)
            .GetProperty("state")
            .GetString();

    private static async Task<JsonElement> PostAsync(TestHost host, string path)
    {
        using HttpResponseMessage answer = await host.Http.PostAsync(path, null).SoonAsync();
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode, text);
        return JsonDocument.Parse(text).RootElement;
    }

    private static async Task UntilAsync(TestHost host, Func<JsonElement, bool> condition)
    {
        JsonElement status = default;
        async Task PollAsync()
        {
            do
            {
                status = await host.StatusAsync();
            } while (!condition(status));
        }

        await PollAsync().SoonAsync(() => $"last status: {status}");
    }
}
