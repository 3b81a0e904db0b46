using System.Collections.Concurrent;
using System.Net;
using System.Text.Json;
using CamCube.Host;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Live;

/// <summary>Services that hang, and that lose packets, in real hosts: who is named, and who is unhurt. A service hangs
/// as long as a file is there.</summary>
public sealed class WatchTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Fact]
    public async Task A_simulated_host_names_the_callback_that_hangs_is_dead_after_a_while_and_well_afterwards()
    {
        await using TestHost host = await TestHost.StartAsync(Simulator(), Quick("DeadAfter=600ms"));
        using EchoClient client = await host.ConnectAsync(13);
        Task<string?> answer = client.AskAsync($"hang {_file}");

        JsonElement unready = await UntilAsync(host, "/health/ready", HttpStatusCode.ServiceUnavailable);
        Assert.Equal("unready", unready.GetProperty("status").GetString());
        Assert.StartsWith("loop of 1,1,1 has been in echo.call for 0.", Reason(unready), StringComparison.Ordinal);
        JsonElement dead = await UntilAsync(host, "/health/live", HttpStatusCode.ServiceUnavailable);
        Assert.Equal("dead", dead.GetProperty("status").GetString());
        Assert.StartsWith("loop of 1,1,1 has been in echo.call for ", Reason(dead), StringComparison.Ordinal);
        Assert.Equal("ready", (await host.StatusAsync()).GetProperty("phase").GetString());

        File.Delete(_file);
        Assert.Equal($"echo 1,1,1 hang {_file}", await answer);
        await UntilAsync(host, "/health/live", HttpStatusCode.OK);
        await UntilAsync(host, "/health/ready", HttpStatusCode.OK);
        JsonElement[] longest = [.. (await host.StatusAsync()).GetProperty("servers").EnumerateArray().Select(Echo)];

        // It is looked at from outside, so what is known is a lower bound of the 600 ms and more that it hung.
        Assert.True(longest[13].GetProperty("maxCallbackNanos").GetInt64() >= 500_000_000, longest[13].GetRawText());
        Assert.All(
            longest.Where((_, rank) => rank != 13),
            e => Assert.InRange(e.GetProperty("maxCallbackNanos").GetInt64(), 0, 499_999_999)
        );
    }

    [Fact]
    public async Task Of_two_hosts_the_one_whose_service_hangs_says_so_and_the_other_serves()
    {
        ConcurrentDictionary<Coordinate, MemoryLinks.Driver> hub = new();
        string[] common =
        [
            "--shim=memory",
            "--shape=2x1x1",
            "--FrontEndAddress=127.0.0.1",
            "--Liveness:DetectionTime=2s",
            .. Quick("DeadAfter=1h"),
        ];
        await using TestHost first = await TestHost.StartAsync(
            Simulator(),
            [.. common, "--coordinate=0,0,0"],
            links: [new MemoryLinks(hub)],
            ports: 1
        );
        await using TestHost second = await TestHost.StartAsync(
            Simulator(),
            [.. common, "--coordinate=1,0,0"],
            links: [new MemoryLinks(hub)],
            ports: 1
        );
        using EchoClient client = await second.ConnectAsync(0);
        Task<string?> answer = client.AskAsync($"hang {_file}");

        JsonElement unready = await UntilAsync(second, "/health/ready", HttpStatusCode.ServiceUnavailable);
        Assert.StartsWith("loop of 1,0,0 has been in echo.call for ", Reason(unready), StringComparison.Ordinal);
        await UntilAsync(second, "/health/live", HttpStatusCode.OK);
        await UntilAsync(first, "/health/ready", HttpStatusCode.OK);
        using EchoClient other = await first.ConnectAsync(0);
        Assert.Equal("echo 0,0,0 hi", await other.AskAsync("hi"));

        File.Delete(_file);
        Assert.NotNull(await answer);
        await UntilAsync(second, "/health/ready", HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_constructor_that_does_not_end_is_named_while_the_host_starts_and_the_host_still_stops()
    {
        await using TestHost host = TestHost.Begin(
            Simulator(),
            [.. Quick("DeadAfter=1h"), $"--Services:echo:HangWhile={_file}"]
        );
        JsonElement starting;
        do
        {
            starting = await UntilAsync(host, "/health/ready", HttpStatusCode.ServiceUnavailable);
        } while (starting.GetProperty("reasons").GetArrayLength() < 2);
        Assert.Equal("starting", starting.GetProperty("status").GetString());
        Assert.StartsWith(
            "loop of 0,0,0 has been in echo.constructor for ",
            starting.GetProperty("reasons")[1].GetString(),
            StringComparison.Ordinal
        );
        Assert.Equal(0, await host.StopAsync());
    }

    [Fact]
    public async Task A_service_that_loses_packets_is_named_in_status_and_health()
    {
        await using TestHost host = await TestHost.StartAsync(
            Simulator(),
            ["--Watch:HeldAfter=1s", "--Logging:LogLevel:Default=None"]
        );
        using EchoClient client = await host.ConnectAsync(5);
        Assert.NotNull(await client.AskAsync("leak"));

        JsonElement[] servers = [.. (await host.StatusAsync()).GetProperty("servers").EnumerateArray()];
        int held = Echo(servers[5]).GetProperty("held").GetInt32();
        Assert.True(held > 4_096, $"{held}");
        Assert.All(servers.Where((_, rank) => rank != 5), s => Assert.Equal(0, Echo(s).GetProperty("held").GetInt32()));
        JsonElement degraded;
        do
        {
            degraded = await UntilAsync(host, "/health/ready", HttpStatusCode.OK);
        } while (degraded.GetProperty("status").GetString() != "degraded");
        Assert.Equal(
            $"service echo on server 2,1,0 holds {held} of "
                + $"{servers[5].GetProperty("packets").GetProperty("budget").GetInt32()} packets",
            Reason(degraded)
        );
    }

    [Fact]
    public async Task A_service_that_needs_another_which_is_not_there_is_named_in_status_and_health_from_the_start()
    {
        await using TestHost host = await TestHost.StartAsync(
            Simulator(),
            ["--Services:asker:Assembly=echo/CamCube.TestServices.dll", "--shape=2x1x1"],
            echo: false
        );
        const string Words = "no service here offers IEcho, which it needs";

        // It asks for it at once, and so it is down for a second after each start: what it misses is said all the time.
        JsonElement health = await UntilAsync(host, "/health/ready", HttpStatusCode.OK);
        Assert.Equal("degraded", health.GetProperty("status").GetString());
        string[] reasons = [.. health.GetProperty("reasons").EnumerateArray().Select(static r => r.GetString()!)];
        Assert.Contains($"service asker on server 0,0,0: {Words}", reasons);
        Assert.Contains($"service asker on server 1,0,0: {Words}", reasons);
        Assert.All(
            (await host.StatusAsync()).GetProperty("servers").EnumerateArray(),
            server =>
                Assert.Contains(
                    server.GetProperty("services").EnumerateArray(),
                    service =>
                        service.TryGetProperty("missing", out JsonElement missing) && missing.GetString() == Words
                )
        );
    }

    private static SimulatorCubeFactory Simulator() => new(TimeProvider.System);

    private static string[] Quick(string dead) =>
        ["--Watch:HungAfter=200ms", $"--Watch:{dead}", "--Logging:LogLevel:Default=None"];

    private static JsonElement Echo(JsonElement server) =>
        server.GetProperty("services").EnumerateArray().First(s => s.GetProperty("name").GetString() == "echo");

    private static string Reason(JsonElement health) =>
        Assert.Single(health.GetProperty("reasons").EnumerateArray()).GetString()!;

    private static async Task<JsonElement> UntilAsync(TestHost host, string path, HttpStatusCode code)
    {
        long began = TimeProvider.System.GetTimestamp();
        string last = "";
        while (TimeProvider.System.GetElapsedTime(began) < TimeSpan.FromSeconds(60))
        {
            try
            {
                using HttpResponseMessage answer = await host.Http.GetAsync(path).SoonAsync();
                last = await answer.Content.ReadAsStringAsync().SoonAsync();
                if (answer.StatusCode == code)
                {
                    return JsonDocument.Parse(last).RootElement;
                }
            }
            catch (HttpRequestException)
            {
                // The port is not open yet.
            }
        }

        throw new TimeoutException($"{path} does not become {code}: {last}");
    }
}
