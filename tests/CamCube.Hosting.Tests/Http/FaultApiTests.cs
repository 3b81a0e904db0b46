using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using CamCube.Faults;
using CamCube.Hosting.Tests.Kit;

namespace CamCube.Hosting.Tests.Http;

/// <summary>Fault rules by order: every kind and place of docs/faults.md, and every refusal.</summary>
public sealed class FaultApiTests : IAsyncLifetime
{
    private readonly FakeCubeFactory _cube = new();
    private TestHost _host = null!;

    public async ValueTask InitializeAsync() => _host = await TestHost.StartAsync(_cube, ["--shape=3x2x1"], ports: 6);

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Theory]
    [InlineData("loss?probability=0.25")]
    [InlineData("corruption?probability=1")]
    [InlineData("duplication?probability=0")]
    [InlineData("delay?time=2ms")]
    [InlineData("delay?time=2ms&jitter=500us")]
    [InlineData("reordering?probability=0.5&time=1ms")]
    [InlineData("rate?rate=1000")]
    [InlineData("cut")]
    [InlineData("flapping?period=500ms&up=0.8")]
    public async Task Every_kind_comes_into_force_everywhere_and_ends_by_its_number(string order)
    {
        JsonElement rule = await SendAsync(HttpMethod.Post, order, HttpStatusCode.OK);

        string[] parts = order.Split('?');
        Assert.Equal((1, parts[0]), (rule.GetProperty("id").GetInt32(), rule.GetProperty("kind").GetString()));
        string arguments = string.Join(
            '&',
            rule.GetProperty("arguments").EnumerateObject().Select(a => $"{a.Name}={a.Value.GetString()}")
        );
        Assert.Equal(parts.Length > 1 ? parts[1] : "", arguments);
        Assert.Equal(1, Rules.Count);
        Assert.All(Enumerable.Range(0, 6), rank => Assert.True(Rules.Concern(rank)));

        JsonElement rest = await SendAsync(HttpMethod.Delete, "1", HttpStatusCode.OK);
        Assert.Equal(0, rest.GetProperty("rules").GetArrayLength());
        Assert.Equal(0, Rules.Count);
    }

    [Theory]
    [InlineData("cut?at=0,0,0", "0 1 2 3")]
    [InlineData("cut?at=0,0,0&way=out", "0")]
    [InlineData("cut?at=0&way=in", "1 2 3")]
    [InlineData("cut?at=0,0,0:px", "0 1")]
    [InlineData("cut?at=0,0,0:%2Bx&way=out", "0")]
    [InlineData("cut?at=0,0,0:+x&way=in", "1")]
    [InlineData("cut?at=1,1,0:my&way=both", "1 4")]
    public async Task A_place_concerns_those_that_send_there(string order, string senders)
    {
        await SendAsync(HttpMethod.Post, order, HttpStatusCode.OK);

        Assert.Equal(senders, string.Join(' ', Enumerable.Range(0, 6).Where(Rules.Concern)));
    }

    [Fact]
    public async Task Rules_of_the_settings_are_in_force_when_the_host_is_ready_and_end_like_others()
    {
        var cube = new FakeCubeFactory();
        await using TestHost host = await TestHost.StartAsync(
            cube,
            ["--shape=3x2x1", "--Faults=loss probability=0.25 at=0,0,0:+x; cut at=5;"],
            ports: 6
        );
        string list = await host.Http.GetStringAsync("/api/faults");

        Assert.Contains(
            """
            {"rules":[{"id":1,"kind":"loss","arguments":{"probability":"0.25","at":"0,0,0:+x"}},
            {"id":2,"kind":"cut","arguments":{"at":"5"}}],
            """.ReplaceLineEndings(""),
            list,
            StringComparison.Ordinal
        );
        Assert.Equal(2, cube.Cube!.LinkFaults.Count);
        (await host.Http.DeleteAsync("/api/faults/1")).EnsureSuccessStatusCode();
        Assert.Equal(1, cube.Cube.LinkFaults.Count);
    }

    [Theory]
    [InlineData(
        "cut at=9",
        "CamCube:Faults = 'cut at=9': at=9: there is no server '9'; there are the ranks 0 to 5, or 0,0,0 to 2,1,0."
    )]
    [InlineData("cut at=0:+z", "CamCube:Faults = 'cut at=0:+z': server 0,0,0 has no cable '+z'; it has {+x,-x,+y,-y}.")]
    [InlineData(
        "cut service=echoo",
        "CamCube:Faults = 'cut service=echoo': service=echoo: there is no such service; there are echo, "
            + "or ids as in 0x0001."
    )]
    public async Task A_rule_of_the_settings_for_a_place_that_is_not_there_ends_the_start(string rules, string line)
    {
        await using TestHost host = await TestHost.StartAsync(
            new FakeCubeFactory(),
            ["--shape=3x2x1", $"--Faults={rules}"],
            ports: 6
        );

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Equal(line, Assert.Single(host.Errors.Lines));
    }

    [Fact]
    public async Task Rules_of_the_settings_need_leave_on_a_real_server()
    {
        var cube = new FakeCubeFactory { RunsWholeCube = false };
        await using TestHost host = await TestHost.StartAsync(
            cube,
            ["--shape=3x2x1", "--Coordinate=0,0,0", "--FrontEndAddress=127.0.0.1", "--Faults=cut"]
        );

        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.Equal(
            "CamCube:Faults = 'cut': on a real server fault rules need CamCube:AllowControl=true.",
            Assert.Single(host.Errors.Lines)
        );
    }

    [Fact]
    public async Task Rules_are_listed_in_their_order_and_all_end_at_once()
    {
        using IDisposable foreign = Rules.Add(new PacketLoss(0));
        await SendAsync(HttpMethod.Post, "cut?at=5:mx&service=0x0001", HttpStatusCode.OK);
        await SendAsync(HttpMethod.Post, "delay?time=1s&service=echo", HttpStatusCode.OK);
        JsonElement list = await SendAsync(HttpMethod.Get, "", HttpStatusCode.OK);
        Assert.Equal(
            """
            {"rules":[{"id":1,"kind":"cut","arguments":{"at":"5:mx","service":"0x0001"}},
            {"id":2,"kind":"delay","arguments":{"time":"1s","service":"echo"}}],
            "counts":{"lost":0,"cut":0,"garbled":0,"corrupted":0,"duplicated":0,"delayed":0,
            "heldBack":0,"slowed":0,"overflowed":0}}
            """.ReplaceLineEndings(""),
            list.GetRawText()
        );

        JsonElement after = await SendAsync(HttpMethod.Delete, "", HttpStatusCode.OK);
        Assert.Equal(0, after.GetProperty("rules").GetArrayLength());

        // The program's own rules are not the operator's to end.
        Assert.Equal(1, Rules.Count);
        Assert.Equal(3, (await SendAsync(HttpMethod.Post, "cut", HttpStatusCode.OK)).GetProperty("id").GetInt32());
    }

    [Theory]
    [InlineData(
        "melting",
        "'melting' is no kind of fault; there are loss, corruption, duplication, delay, reordering, rate, cut, "
            + "flapping."
    )]
    [InlineData(
        "losss",
        "'losss' is no kind of fault; did you mean loss? There are loss, corruption, duplication, delay, "
            + "reordering, rate, cut, flapping."
    )]
    [InlineData(
        "loss?probabilty=0.1",
        "loss has no 'probabilty'; did you mean probability? It has probability, at, way, service."
    )]
    [InlineData("loss", "loss needs probability=...")]
    [InlineData("loss?probability=1.1", "probability=1.1 must be a number from 0 to 1, as in 0.01.")]
    [InlineData("loss?probability=NaN", "probability=NaN must be a number from 0 to 1, as in 0.01.")]
    [InlineData("loss?probability=0.1&time=1ms", "loss has no 'time'; it has probability, at, way, service.")]
    [InlineData(
        "delay?time=5",
        "time=5 must be a duration as in 200ms, 1.5s, 2min, 1h or 00:00:00.2, more than zero and at most a day."
    )]
    [InlineData(
        "delay?time=25h",
        "time=25h must be a duration as in 200ms, 1.5s, 2min, 1h or 00:00:00.2, more than zero and at most a day."
    )]
    [InlineData("rate?rate=999", "rate=999 must be a whole number of bits per second from 1,000.")]
    [InlineData("flapping?period=1s", "flapping needs up=...")]
    [InlineData("cut?way=up", "way=up must be out (what the server sends), in (what is sent to it) or both.")]
    [InlineData("cut?way=in", "way=in needs at=...: a server, or one of its links.")]
    [InlineData("cut?at=6", "at=6: there is no server '6'; there are the ranks 0 to 5, or 0,0,0 to 2,1,0.")]
    [InlineData("cut?at=0,0,0:pz", "server 0,0,0 has no cable 'pz'; it has {+x,-x,+y,-y}.")]
    [InlineData("cut?at=0,0,0:", "server 0,0,0 has no cable ''; it has {+x,-x,+y,-y}.")]
    [InlineData("cut?service=nobody", "service=nobody: there is no such service; there are echo, or ids as in 0x0001.")]
    public async Task What_is_wrong_is_named_and_nothing_comes_into_force(string order, string detail)
    {
        JsonElement problem = await SendAsync(HttpMethod.Post, order, HttpStatusCode.BadRequest);

        Assert.Equal(detail, problem.GetProperty("detail").GetString());
        Assert.Equal(0, Rules.Count);
    }

    [Theory]
    [InlineData("1")]
    [InlineData("0")]
    [InlineData("x")]
    public async Task A_rule_that_is_not_there_is_named(string id)
    {
        JsonElement problem = await SendAsync(HttpMethod.Delete, id, HttpStatusCode.NotFound);

        Assert.Equal($"there is no fault rule '{id}' in force.", problem.GetProperty("detail").GetString());
    }

    [Fact]
    public async Task Cables_that_are_real_obey_no_rules_unless_that_is_allowed()
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
        using HttpResponseMessage add = await host.Http.PostAsync("/api/faults/cut", null).SoonAsync();
        using HttpResponseMessage end = await host.Http.DeleteAsync("/api/faults").SoonAsync();
        using HttpResponseMessage one = await host.Http.DeleteAsync("/api/faults/1").SoonAsync();

        Assert.All([add, end, one], answer => Assert.Equal(HttpStatusCode.Conflict, answer.StatusCode));
        Assert.Contains("CamCube:AllowControl=true", await add.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        Assert.StartsWith(
            """{"rules":[],""",
            await host.Http.GetStringAsync("/api/faults").SoonAsync(),
            StringComparison.Ordinal
        );
        Assert.Equal(0, real.Cube!.LinkFaults.Count);
    }

    private LinkFaultRules Rules => _cube.Cube!.LinkFaults;

    private async Task<JsonElement> SendAsync(HttpMethod method, string order, HttpStatusCode expected)
    {
        using var request = new HttpRequestMessage(method, $"/api/faults{(order.Length > 0 ? "/" : "")}{order}");
        using HttpResponseMessage answer = await _host.Http.SendAsync(request).SoonAsync();
        JsonElement json = await answer.Content.ReadFromJsonAsync<JsonElement>();
        Assert.True(expected == answer.StatusCode, $"{answer.StatusCode}: {json}");
        return json;
    }
}
