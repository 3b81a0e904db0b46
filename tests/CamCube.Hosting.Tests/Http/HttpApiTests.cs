using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using CamCube.Hosting.Tests.Kit;
using CamCube.Runtime.Services;

namespace CamCube.Hosting.Tests.Http;

/// <summary>Every path and every refusal of docs/http-api.md, with a cube of fixed numbers.</summary>
public sealed class HttpApiTests : IAsyncLifetime
{
    private readonly FakeCubeFactory _cube = new();
    private TestHost _host = null!;

    public async ValueTask InitializeAsync() => _host = await TestHost.StartAsync(_cube, ["--shape=3x2x1"], ports: 6);

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Fact]
    public async Task The_status_has_the_documented_form()
    {
        string text = await _host.Http.GetStringAsync("/api/status").SoonAsync();
        JsonElement status = JsonDocument.Parse(text).RootElement;

        Assert.Equal(
            [
                "version",
                "phase",
                "uptimeSeconds",
                "shim",
                "canControl",
                "shape",
                "parallelCables",
                "frontEnds",
                "http",
                "servers",
                "cables",
            ],
            Names(status)
        );
        Assert.Equal("ready", status.GetProperty("phase").GetString());
        Assert.Equal("Simulator", status.GetProperty("shim").GetString());
        Assert.Equal([3, 2, 1], status.GetProperty("shape").EnumerateArray().Select(e => e.GetInt32()));
        Assert.Matches(@"^\d+\.\d+\.\d+$", status.GetProperty("version").GetString());
        Assert.Equal(
            $$"""
            [{"name":"echo","address":"127.0.0.1",
            "firstPort":{{_host.EchoPort}},"lastPort":{{_host.EchoPort + 5}}}]
            """.ReplaceLineEndings(""),
            status.GetProperty("frontEnds").GetRawText()
        );
        Assert.Equal(_host.HttpPort + 5, status.GetProperty("http").GetProperty("lastPort").GetInt32());
        (int echo, int http) = (_host.EchoPort + 4, _host.HttpPort + 4);
        Assert.Equal(
            $$$"""
            {"rank":4,"coordinate":"1,1,0","state":"running","incarnation":1700000000000000,
            "reachable":6,"viewVersion":7,
            "packets":{"inUse":3,"budget":4096},"ports":{"echo":{{{echo}}},"http":{{{http}}}},
            "links":[{"link":"+x","neighbour":"2,1,0","neighbourRank":5,"state":"up","sentPackets":10,"sentBytes":1000,
            "receivedPackets":20,"receivedBytes":2000}],
            "services":[{"id":"0x7101","name":"echo","state":"running","faults":1,"arrived":2,"sent":3,"queued":4,
            "held":9,"maxCallbackNanos":5,
            "counters":[{"name":"hits","unit":"{call}","value":6},
            {"name":"passed","unit":"{packet}","link":"-z","value":7},
            {"name":"heard","unit":"{call}","value":8,"label":"endpoint","of":"one"}],
            "lastFault":"Oops: it broke","commands":["say","forever"],"commandRuns":11,"commandFaults":9}],
            "drops":{"receiveFull":8}}
            """.ReplaceLineEndings(""),
            status.GetProperty("servers")[4].GetRawText()
        );
        Assert.Equal(12, status.GetProperty("cables").GetArrayLength());
        Assert.Equal(
            """{"rank":0,"link":"+x","neighbourRank":1,"state":"up"}""",
            status.GetProperty("cables")[0].GetRawText()
        );
    }

    [Fact]
    public async Task The_cabling_has_the_documented_form_and_is_not_found_where_nobody_looks()
    {
        using HttpResponseMessage nobody = await _host.Http.GetAsync("/api/cabling").SoonAsync();
        Assert.Equal(HttpStatusCode.NotFound, nobody.StatusCode);
        Assert.Contains(
            "the shim Simulator does not look at cables.",
            await nobody.Content.ReadAsStringAsync().SoonAsync()
        );
        var port = new CablingPort("eth1", Link.XPlus, true, 9_014, true, CablingHeard.Server)
        {
            PeerServerId = "00000000000000bb",
            PeerCoordinate = new Coordinate(1, 0, 0),
            PeerLink = Link.XMinus,
            PeerPort = "eth2",
            IsMutual = true,
            Foreign = new ForeignTraffic("IPv4", "192.0.2.7", "02:00:00:00:00:77", 3, 1_790_000_000_000),
        };
        _cube.Cabling = new CablingReport
        {
            ClusterId = "camcube",
            Shape = new TorusShape(3, 2, 1),
            ServerId = "00000000000000aa",
            Coordinate = default(Coordinate),
            Phase = CablingPhase.Placed,
            MaxFrameLength = 9_014,
            MapEpochMillis = 5,
            MapMaker = "00000000000000aa",
            AdmittedLinks = 1,
            ExpectedLinks = 4,
            WorkingCables = 1,
            ExpectedCables = 12,
            Servers = [new CablingServer("00000000000000aa", default(Coordinate), false, false, [port])],
            Faults =
            [
                new CablingFault(
                    CablingFaultKind.WrongCable,
                    "00000000000000aa",
                    default(Coordinate),
                    "eth2",
                    Link.XMinus,
                    "wrong"
                ),
            ],
        };

        Assert.Equal(
            """
            {"clusterId":"camcube","shape":[3,2,1],"parallelCables":true,"serverId":"00000000000000aa",
            "coordinate":"0,0,0","phase":"placed",
            "maxFrameLength":9014,"mapEpochMillis":5,"mapMaker":"00000000000000aa","admittedLinks":1,"expectedLinks":4,
            "workingCables":1,"expectedCables":12,
            "servers":[{"serverId":"00000000000000aa","coordinate":"0,0,0","fixed":false,
            "refusing":false,"ports":[
            {"name":"eth1","link":"+x","up":true,"maxFrameLength":9014,"admitted":true,"heard":"server","mutual":true,
            "peerServerId":"00000000000000bb","peerCoordinate":"1,0,0","peerLink":"-x","peerPort":"eth2",
            "foreign":{"protocol":"IPv4","source":"192.0.2.7","sender":"02:00:00:00:00:77","frames":3,
            "lastSeenMillis":1790000000000}}]}],
            "faults":[{"kind":"wrongCable","serverId":"00000000000000aa","coordinate":"0,0,0","port":"eth2","link":"-x",
            "text":"wrong"}]}
            """.ReplaceLineEndings(""),
            await _host.Http.GetStringAsync("/api/cabling").SoonAsync()
        );
    }

    [Fact]
    public async Task Every_port_answers_for_the_whole_process_also_that_of_a_stopped_server()
    {
        await PostAsync("/api/servers/5/stop", HttpStatusCode.OK);

        for (int rank = 0; rank < 6; rank++)
        {
            JsonElement status = await _host
                .Http.GetFromJsonAsync<JsonElement>($"http://127.0.0.1:{_host.HttpPort + rank}/api/status")
                .SoonAsync();
            Assert.Equal("stopped", status.GetProperty("servers")[5].GetProperty("state").GetString());
        }
    }

    [Theory]
    [InlineData("/api/servers/4/stop", "server 4 stops", "stopped")]
    [InlineData("/api/servers/1,1,0/stop", "server 4 stops", "stopped")]
    [InlineData("/api/servers/4/start", "server 4 starts", "running")]
    [InlineData("/api/cables/4/+x/cut", "cable 4 +x is cut", "cut")]
    [InlineData("/api/cables/4/px/cut", "cable 4 +x is cut", "cut")]
    [InlineData("/api/cables/4/%2Bx/cut", "cable 4 +x is cut", "cut")]
    [InlineData("/api/cables/1,1,0/-y/cut", "cable 4 -y is cut", "cut")]
    [InlineData("/api/cables/4/my/mend", "cable 4 -y is mended", "up")]
    public async Task An_order_is_carried_out_and_answered_with_the_new_state(string path, string done, string state)
    {
        JsonElement answer = await PostAsync(path, HttpStatusCode.OK);

        Assert.Equal(state, answer.GetProperty("state").GetString());
        Assert.Equal(done, _cube.Journal.Entries[^1]);
    }

    [Theory]
    [InlineData("/api/servers/6/stop", "there is no server '6'; there are the ranks 0 to 5, or 0,0,0 to 2,1,0.")]
    [InlineData("/api/servers/-1/stop", "there is no server '-1'; there are the ranks 0 to 5, or 0,0,0 to 2,1,0.")]
    [InlineData(
        "/api/servers/0,0,1/start",
        "there is no server '0,0,1'; there are the ranks 0 to 5, or 0,0,0 to 2,1,0."
    )]
    [InlineData(
        "/api/servers/99999999999/start",
        "there is no server '99999999999'; there are the ranks 0 to 5, or 0,0,0 to 2,1,0."
    )]
    [InlineData("/api/cables/9/px/cut", "there is no server '9'; there are the ranks 0 to 5, or 0,0,0 to 2,1,0.")]
    [InlineData(
        "/api/cables/0/up/cut",
        "'up' is no direction; there are +x, -x, +y, -y, +z, -z, or px, mx, py, my, pz, mz."
    )]
    [InlineData(
        "/api/cables/0/local/cut",
        "'local' is no direction; there are +x, -x, +y, -y, +z, -z, or px, mx, py, my, pz, mz."
    )]
    [InlineData("/api/cables/0/pz/mend", "server 0,0,0 has no cable +z in a cube of the shape 3x2x1.")]
    [InlineData("/api/servers/0/burn", "POST /api/servers/0/burn is not answered here; there are GET /health/live")]
    public async Task What_is_not_there_is_named(string path, string detail)
    {
        JsonElement problem = await PostAsync(path, HttpStatusCode.NotFound);

        Assert.Equal("Not Found", problem.GetProperty("title").GetString());
        Assert.StartsWith(detail, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal("cube started", _cube.Journal.Entries[^1]);
    }

    [Fact]
    public async Task A_wrong_method_is_a_problem_too()
    {
        using HttpResponseMessage answer = await _host.Http.GetAsync("/api/servers/0/stop").SoonAsync();

        Assert.Equal(HttpStatusCode.MethodNotAllowed, answer.StatusCode);
        Assert.Equal("application/problem+json", answer.Content.Headers.ContentType?.MediaType);
        Assert.Equal("cube started", _cube.Journal.Entries[^1]);
    }

    [Fact]
    public async Task A_command_of_a_service_is_run_and_its_json_is_the_answer()
    {
        JsonElement said = await PostAsync("/api/servers/1,0,0/services/echo/say?text=a%20b", HttpStatusCode.OK);
        Assert.Equal("a b", said.GetProperty("said").GetString());

        JsonElement problem = await PostAsync(
            "/api/servers/1/services/echo/say?txt=a&text=b&text=c",
            HttpStatusCode.BadRequest
        );
        Assert.Equal(
            "txt is no argument of say; did you mean text? text is given 2 times.",
            problem.GetProperty("detail").GetString()
        );
    }

    [Fact]
    public async Task A_faulted_service_makes_the_host_degraded_but_not_unready()
    {
        _cube.ServiceState = ServiceState.Faulted;
        JsonElement faulted = await _host.Http.GetFromJsonAsync<JsonElement>("/health/ready").SoonAsync();
        Assert.Equal("degraded", faulted.GetProperty("status").GetString());
        Assert.Equal(6, faulted.GetProperty("reasons").GetArrayLength());
        Assert.Equal(
            "service echo on server 0,0,0 threw and waits for its restart",
            faulted.GetProperty("reasons")[0].GetString()
        );

        _cube.ServiceState = ServiceState.Stopped;
        JsonElement stopped = await _host.Http.GetFromJsonAsync<JsonElement>("/health/ready").SoonAsync();
        Assert.Equal(
            "service echo on server 0,0,0 stays stopped; faults: 1",
            stopped.GetProperty("reasons")[0].GetString()
        );

        _cube.ServiceState = ServiceState.Running;
        Assert.Equal(
            """{"status":"ready","reasons":[]}""",
            await _host.Http.GetStringAsync("/health/ready").SoonAsync()
        );
        Assert.Equal("""{"status":"live"}""", await _host.Http.GetStringAsync("/health/live").SoonAsync());
    }

    [Fact]
    public async Task A_server_that_refuses_to_take_part_in_its_cube_is_not_ready_and_says_why()
    {
        _cube.Cabling = new CablingReport
        {
            ClusterId = "c",
            Shape = new TorusShape(3, 2, 1),
            ServerId = "00000000000000aa",
            Coordinate = new Coordinate(0, 0, 0),
            Phase = CablingPhase.Refusing,
            Waiting = "another map is older",
        };
        using HttpResponseMessage refusing = await _host.Http.GetAsync("/health/ready").SoonAsync();
        Assert.Equal(HttpStatusCode.ServiceUnavailable, refusing.StatusCode);
        Assert.Equal(
            """{"status":"refusing","reasons":["another map is older"]}""",
            await refusing.Content.ReadAsStringAsync().SoonAsync()
        );
        Assert.Equal(
            "refusing",
            (await _host.Http.GetFromJsonAsync<JsonElement>("/api/status").SoonAsync()).GetProperty("phase").GetString()
        );

        // It still does what it is told.
        await PostAsync("/api/servers/3/stop", HttpStatusCode.OK);

        _cube.Cabling = _cube.Cabling with { Phase = CablingPhase.Placed };
        Assert.Equal(
            """{"status":"ready","reasons":[]}""",
            await _host.Http.GetStringAsync("/health/ready").SoonAsync()
        );
    }

    [Fact]
    public async Task A_started_server_whose_port_was_taken_meanwhile_runs_without_it()
    {
        await PostAsync("/api/servers/3/stop", HttpStatusCode.OK);
        using System.Net.Sockets.TcpListener taken = new(IPAddress.Loopback, _host.EchoPort + 3);
        taken.Start();

        JsonElement problem = await PostAsync("/api/servers/3/start", HttpStatusCode.Conflict);

        Assert.Equal(
            $"the server runs, but without its ports: front end echo of server 0,1,0, port {_host.EchoPort + 3}: "
                + $"the port is taken",
            problem.GetProperty("detail").GetString()
        );
        taken.Stop();
        JsonElement started = await PostAsync("/api/servers/3/start", HttpStatusCode.OK);
        Assert.Equal(_host.EchoPort + 3, started.GetProperty("ports").GetProperty("echo").GetInt32());
    }

    [Fact]
    public async Task Servers_and_cables_that_are_real_are_not_controlled()
    {
        FakeCubeFactory real = new()
        {
            Name = "Wire",
            CanControl = false,
            RunsWholeCube = false,
        };
        await using TestHost host = await TestHost.StartAsync(
            real,
            ["--shim=Wire", "--coordinate=1,0,0", "--shape=2x1x1", "--FrontEndAddress=127.0.0.1"],
            ports: 1
        );

        using HttpResponseMessage stop = await host.Http.PostAsync("/api/servers/1/stop", null).SoonAsync();
        JsonElement problem = await stop.Content.ReadFromJsonAsync<JsonElement>();
        Assert.Equal(HttpStatusCode.Conflict, stop.StatusCode);
        Assert.Equal(
            "servers and cables of the shim Wire are real; they are controlled from here only with "
                + "CamCube:AllowControl=true "
                + "in this host's settings.",
            problem.GetProperty("detail").GetString()
        );

        using HttpResponseMessage other = await host.Http.PostAsync("/api/servers/0/stop", null).SoonAsync();
        Assert.Equal(HttpStatusCode.NotFound, other.StatusCode);
        Assert.Contains("not run by this process", await other.Content.ReadAsStringAsync(), StringComparison.Ordinal);
    }

    private static IEnumerable<string> Names(JsonElement element) => element.EnumerateObject().Select(p => p.Name);

    private async Task<JsonElement> PostAsync(string path, HttpStatusCode expected)
    {
        using HttpResponseMessage answer = await _host.Http.PostAsync(path, null).SoonAsync();
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(expected == answer.StatusCode, $"{answer.StatusCode}: {text}");
        return JsonDocument.Parse(text).RootElement;
    }
}
