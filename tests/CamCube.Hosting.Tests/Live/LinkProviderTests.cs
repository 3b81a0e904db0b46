using System.Collections.Concurrent;
using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using CamCube.Host;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Live;

/// <summary>The seam for shims: a second provider, built in or from a plug-in assembly, and one server per
/// host.</summary>
public sealed class LinkProviderTests
{
    private static readonly string Diagnostics = Path.Combine(AppContext.BaseDirectory, "services", "diagnostics");

    [Fact]
    public async Task Two_hosts_with_one_server_each_are_one_cube()
    {
        ConcurrentDictionary<Coordinate, MemoryLinks.Driver> hub = new();
        MemoryLinks[] links = [new(hub), new(hub)];
        string[] common =
        [
            "--shim=memory",
            "--shape=2x1x1",
            "--FrontEndAddress=127.0.0.1",
            "--Memory:Colour=red",
            "--Memory:Deep:Down=1",
            $"--Services:diagnostics:Assembly={Diagnostics}",
            // On a busy machine the first run of a path (its compilation) can take longer than the usual 200 ms.
            "--Liveness:DetectionTime=2s",
        ];
        await using TestHost first = await TestHost.StartAsync(
            Simulator(),
            [.. common, "--coordinate=0,0,0", "--AllowControl=true"],
            links: [links[0]],
            ports: 1
        );
        await using TestHost second = await TestHost.StartAsync(
            Simulator(),
            [.. common, "--coordinate=1,0,0"],
            links: [links[1]],
            ports: 1
        );

        Assert.Equal(
            $"CamCube ready: 1 server (2x1x1), shim Memory, echo 127.0.0.1:{first.EchoPort}, "
                + $"http 127.0.0.1:{first.HttpPort}",
            first.Output.Lines[0]
        );
        Assert.Equal("red", links[1].Settings!["colour"]);
        Assert.Equal("1", links[1].Settings!["Deep:Down"]);

        await SeesAsync(first, 2);
        await SeesAsync(second, 2);
        JsonElement status = await second.StatusAsync();
        Assert.Equal("Memory", status.GetProperty("shim").GetString());
        Assert.False(status.GetProperty("canControl").GetBoolean());
        Assert.Equal(1, Assert.Single(status.GetProperty("servers").EnumerateArray()).GetProperty("rank").GetInt32());
        Assert.Equal(
            second.EchoPort,
            status.GetProperty("servers")[0].GetProperty("ports").GetProperty("echo").GetInt32()
        );

        using EchoClient client = await second.ConnectAsync(0);
        Assert.Equal("hello 1,0,0", client.Greeting);
        Assert.Equal("echo 1,0,0 hi", await client.AskAsync("hi"));

        using HttpResponseMessage ping = await first
            .Http.PostAsync("/api/servers/self/services/diagnostics/ping?to=1,0,0&count=3", null)
            .SoonAsync();
        JsonElement answer = await ping.Content.ReadFromJsonAsync<JsonElement>();
        Assert.All(
            answer.GetProperty("replies").EnumerateArray(),
            reply => Assert.True(reply.GetProperty("answered").GetBoolean())
        );

        using HttpResponseMessage turns = await first
            .Http.PostAsync("/api/servers/self/services/diagnostics/ping?to=1,0,0;0,0,0&count=2", null)
            .SoonAsync();
        JsonElement taken = await turns.Content.ReadFromJsonAsync<JsonElement>();
        Assert.Equal(
            [1, 0, 1, 0],
            taken.GetProperty("replies").EnumerateArray().Select(reply => reply.GetProperty("hopsThere").GetInt32())
        );

        JsonElement both = await ServersAsync(first);
        Assert.Equal(["running", "running"], both.EnumerateArray().Select(s => s.GetProperty("state").GetString()));
        Assert.Equal("1,0,0", both[1].GetProperty("coordinate").GetString());
        Assert.Equal(2, both[1].GetProperty("reachable").GetInt32());
        Assert.Equal(
            ["up", "up"],
            both[1].GetProperty("links").EnumerateArray().Select(l => l.GetProperty("state").GetString())
        );
        Assert.Contains(
            both[1].GetProperty("services").EnumerateArray(),
            s => s.GetProperty("name").GetString() == "diagnostics"
        );

        using HttpResponseMessage wrong = await first
            .Http.PostAsync("/api/servers/0/services/diagnostics/load?links=%2By", null)
            .SoonAsync();
        Assert.Equal(HttpStatusCode.BadRequest, wrong.StatusCode);
        Assert.Contains(
            "links={+y} must be some of",
            await wrong.Content.ReadAsStringAsync(),
            StringComparison.Ordinal
        );

        // It fills the cables of real servers: only where somebody said that they may be controlled.
        using HttpResponseMessage closed = await second
            .Http.PostAsync("/api/servers/self/services/diagnostics/load?for=1s", null)
            .SoonAsync();
        Assert.Equal(HttpStatusCode.Conflict, closed.StatusCode);
        Assert.Contains(
            "CamCube:AllowControl=true",
            await closed.Content.ReadAsStringAsync(),
            StringComparison.Ordinal
        );
        using HttpResponseMessage load = await first
            .Http.PostAsync("/api/servers/0/services/diagnostics/load?links=%2Bx&size=100&for=3600s", null)
            .SoonAsync();
        Assert.Equal(HttpStatusCode.OK, load.StatusCode);
        await UntilAsync(second, server => Received(server, "-x") > 1_000, "the load does not arrive");
        using HttpResponseMessage end = await first
            .Http.PostAsync("/api/servers/0/services/diagnostics/load?for=0s", null)
            .SoonAsync();
        Assert.Equal(HttpStatusCode.OK, end.StatusCode);

        Assert.Equal(0, await second.StopAsync());
        await SeesAsync(first, 1);
        JsonElement one = await ServersAsync(first);
        Assert.Equal(["running", "unreachable"], one.EnumerateArray().Select(s => s.GetProperty("state").GetString()));
    }

    [Fact]
    public async Task A_capture_whose_disk_is_full_ends_by_name_and_the_server_serves()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "There is no disk that is always full.");
        string[] arguments =
        [
            "--shim=memory",
            "--shape=2x1x1",
            "--FrontEndAddress=127.0.0.1",
            "--coordinate=0,0,0",
            "--Capture:File=/dev/full",
        ];
        await using TestHost host = await TestHost.StartAsync(
            Simulator(),
            arguments,
            links: [new MemoryLinks(new ConcurrentDictionary<Coordinate, MemoryLinks.Driver>())],
            ports: 1
        );
        JsonElement health;
        do
        {
            health = await host.Http.GetFromJsonAsync<JsonElement>("/health/ready").SoonAsync();
        } while (health.GetProperty("status").GetString() == "ready");
        Assert.Equal("degraded", health.GetProperty("status").GetString());
        Assert.StartsWith(
            "the capture /dev/full has ended: IOException",
            Assert.Single(health.GetProperty("reasons").EnumerateArray()).GetString(),
            StringComparison.Ordinal
        );
        using EchoClient client = await host.ConnectAsync(0);
        Assert.Equal("echo 0,0,0 hi", await client.AskAsync("hi"));
        Assert.Equal(0, await host.StopAsync());
    }

    [Fact]
    public async Task Rules_of_an_operator_act_on_a_real_servers_links_until_they_end()
    {
        ConcurrentDictionary<Coordinate, MemoryLinks.Driver> hub = new();
        string[] common =
        [
            "--shim=memory",
            "--shape=2x1x1",
            "--FrontEndAddress=127.0.0.1",
            "--AllowControl=true",
            $"--Services:diagnostics:Assembly={Diagnostics}",
            "--Liveness:DetectionTime=2s",
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
        await SeesAsync(first, 2);
        await SeesAsync(second, 2);

        using HttpResponseMessage theirs = await first.Http.PostAsync("/api/faults/cut?at=1,0,0", null).SoonAsync();
        Assert.Equal(HttpStatusCode.BadRequest, theirs.StatusCode);
        Assert.Contains(
            "server 1,0,0 is not run by this process",
            await theirs.Content.ReadAsStringAsync(),
            StringComparison.Ordinal
        );
        using HttpResponseMessage both = await first
            .Http.PostAsync("/api/faults/cut?at=0,0,0&way=both", null)
            .SoonAsync();
        Assert.Equal(HttpStatusCode.BadRequest, both.StatusCode);
        Assert.Contains("a rule at its neighbour", await both.Content.ReadAsStringAsync(), StringComparison.Ordinal);

        // Nothing leaves the first server: neither takes the other for reachable.
        using HttpResponseMessage cut = await first.Http.PostAsync("/api/faults/cut", null).SoonAsync();
        Assert.Equal(HttpStatusCode.OK, cut.StatusCode);
        await SeesAsync(second, 1);
        await SeesAsync(first, 1);
        JsonElement faults = await first.Http.GetFromJsonAsync<JsonElement>("/api/faults").SoonAsync();
        Assert.True(faults.GetProperty("counts").GetProperty("cut").GetInt64() > 0, $"{faults}");

        using HttpResponseMessage end = await first.Http.DeleteAsync("/api/faults/1").SoonAsync();
        Assert.Equal(HttpStatusCode.OK, end.StatusCode);
        await SeesAsync(first, 2);
        await SeesAsync(second, 2);
    }

    [Fact]
    public async Task The_sample_of_a_provider_in_a_plug_in_makes_two_hosts_one_cube()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no Unix datagram sockets.");
        string folder = Directory.CreateTempSubdirectory("camcube-sockets-").FullName;
        string plugin = Path.Combine(AppContext.BaseDirectory, "services", "socket-cables", "SocketCables.dll");
        string[] common =
        [
            $"--LinkProviders:Sockets:Assembly={plugin}",
            "--shim=Sockets",
            $"--Sockets:Folder={folder}",
            "--shape=2x1x1",
            "--FrontEndAddress=127.0.0.1",
            $"--StateDirectory={folder}",
            "--Liveness:DetectionTime=2s",
        ];
        try
        {
            await using TestHost first = await TestHost.StartAsync(
                Simulator(),
                [.. common, "--coordinate=0,0,0"],
                ports: 1
            );
            await using (
                TestHost second = await TestHost.StartAsync(
                    Simulator(),
                    [.. common, "--coordinate=1,0,0", $"--StateDirectory={folder}/2"],
                    ports: 1
                )
            )
            {
                await SeesAsync(first, 2);
                await SeesAsync(second, 2);
                using EchoClient client = await second.ConnectAsync(0);
                Assert.Equal("echo 1,0,0 hi", await client.AskAsync("hi"));
            }

            await SeesAsync(first, 1);
            await using TestHost again = await TestHost.StartAsync(
                Simulator(),
                [.. common, "--coordinate=1,0,0", $"--StateDirectory={folder}/2"],
                ports: 1
            );
            await SeesAsync(first, 2);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task A_provider_from_a_plug_in_is_chosen_by_its_name_and_says_itself_what_is_wrong()
    {
        await using TestHost host = await TestHost.StartAsync(
            Simulator(),
            [
                $"--LinkProviders:Nowhere:Assembly={TestFolder.TestServices}",
                "--shim=Nowhere",
                "--shape=2x2x2",
                "--coordinate=1,1,0",
                "--Nowhere:Interface=eth7",
                "--FrontEndAddress=127.0.0.1",
            ],
            ports: 1
        );

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Equal(
            "CamCube:Shim = 'Nowhere': server 1,1,0 of 2x2x2 has no links here (Interface=eth7)",
            Assert.Single(host.Errors.Lines)
        );
    }

    [Theory]
    [InlineData(
        "CamCube:Coordinate is needed with CamCube:Shim = 'Memory': the place of this server, as in 0,0,0.",
        "--shim=Memory",
        "--FrontEndAddress=127.0.0.1"
    )]
    [InlineData(
        "CamCube:Coordinate = '3,0,0': with the shape 3x3x3 allowed is 0,0,0 to 2,2,2.",
        "--shim=Memory",
        "--FrontEndAddress=127.0.0.1",
        "--coordinate=3,0,0"
    )]
    [InlineData(
        "CamCube:FrontEndAddress is needed: where the front ends of this server (echo) listen, as in 192.168.1.10; "
            + "127.0.0.1 is for this machine only.",
        "--shim=Memory",
        "--coordinate=0,0,0"
    )]
    [InlineData("CamCube:Shim = 'Udp': there is no such shim; allowed is Memory, Simulator.", "--shim=Udp")]
    [InlineData(
        "CamCube:Simulator:LinkDelay is not a setting; did you mean CamCube:Simulator:LinkDelayNanos?",
        "--Simulator:LinkDelay=3"
    )]
    [InlineData(
        "CamCube:Simulator:MaxFrameLength = '10000': allowed is 1514 to 9014.",
        "--Simulator:MaxFrameLength=10000"
    )]
    public async Task A_mistake_about_the_shim_is_named(string message, params string[] arguments)
    {
        await using TestHost host = await TestHost.StartAsync(Simulator(), arguments, links: [new MemoryLinks(new())]);

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Equal([message], host.Errors.Lines);
    }

    [Fact]
    public async Task A_plug_in_without_the_provider_is_named()
    {
        await using TestHost host = await TestHost.StartAsync(
            Simulator(),
            [
                $"--LinkProviders:Elsewhere:Assembly={TestFolder.TestServices}",
                $"--LinkProviders:Nothing:Assembly={Diagnostics}",
                "--LinkProviders:Nowhere:Assmbly=x",
            ]
        );

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Collection(
            host.Errors.Lines,
            line =>
                Assert.Equal(
                    $"CamCube:LinkProviders:Elsewhere:Assembly = '{TestFolder.TestServices}': "
                        + $"{TestFolder.TestServices} has no link provider "
                        + "named 'Elsewhere'; it has Nowhere.",
                    line
                ),
            line =>
                Assert.EndsWith(
                    "has no public class that implements ILinkProvider and has a constructor without parameters.",
                    line,
                    StringComparison.Ordinal
                ),
            line =>
                Assert.Equal(
                    "CamCube:LinkProviders:Nowhere:Assmbly is not a setting; "
                        + "did you mean CamCube:LinkProviders:Nowhere:Assembly? "
                        + "The provider's own settings stand below CamCube:Nowhere.",
                    line
                ),
            line =>
                Assert.StartsWith(
                    "CamCube:LinkProviders:Nowhere:Assembly = '': there is no file or folder",
                    line,
                    StringComparison.Ordinal
                )
        );
    }

    private static async Task<JsonElement> ServersAsync(TestHost host)
    {
        using HttpResponseMessage answer = await host
            .Http.PostAsync("/api/servers/0/services/diagnostics/servers", null)
            .SoonAsync();
        return (await answer.Content.ReadFromJsonAsync<JsonElement>()).GetProperty("servers");
    }

    private static SimulatorCubeFactory Simulator() => new(TimeProvider.System);

    private static Task SeesAsync(TestHost host, int servers) =>
        UntilAsync(
            host,
            server => server.GetProperty("reachable").GetInt32() == servers,
            $"waited for {servers} reachable servers"
        );

    private static long Received(JsonElement server, string link) =>
        server
            .GetProperty("links")
            .EnumerateArray()
            .Single(l => l.GetProperty("link").GetString() == link)
            .GetProperty("receivedPackets")
            .GetInt64();

    private static async Task UntilAsync(TestHost host, Func<JsonElement, bool> holds, string otherwise)
    {
        async Task WaitAsync()
        {
            while (!holds((await host.StatusAsync()).GetProperty("servers")[0]))
            {
                await Task.Yield();
            }
        }

        await WaitAsync().SoonAsync(() => otherwise);
    }
}
