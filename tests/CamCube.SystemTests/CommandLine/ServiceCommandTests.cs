using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary><c>camcube service list</c> and <c>call</c>, against the real host and its services.</summary>
public sealed class ServiceCommandTests : IAsyncLifetime
{
    private HostProcess _host = null!;

    public async ValueTask InitializeAsync() => _host = await HostProcess.StartAsync();

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Fact]
    public async Task Services_are_listed_with_their_commands_and_arguments()
    {
        ToolRun list = await OnHostAsync("service", "list");
        Assert.Equal((0, ""), (list.ExitCode, list.Error));
        Assert.Matches(
            @"\| diagnostics +\| 0x0101 \| +27 of 27 \| 0\.[\d.]+ \([0-9a-f]{12}\) +"
                + @"\| ping, trace, load, servers +\|",
            list.Output
        );
        Assert.Matches(@"\| link-state +\| 0x0001 \| +27 of 27 \| - +\| - +\|", list.Output);
        Assert.Contains(
            "diagnostics load: Keeps links busy with packets to the neighbours. (changes something)\n",
            list.Output,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "  timeout: how long to wait for each answer (duration as in 200ms, 1 ms to 60 s; default 1s)\n",
            list.Output,
            StringComparison.Ordinal
        );

        ToolRun json = await OnHostAsync("service", "list", "--json");
        JsonElement cache = JsonDocument
            .Parse(json.Output)
            .RootElement.EnumerateArray()
            .Single(s => s.GetProperty("name").GetString() == "cache");
        Assert.Equal("statistics", cache.GetProperty("commands")[0].GetProperty("name").GetString());
        Assert.Equal(
            "cube",
            cache.GetProperty("commands")[0].GetProperty("arguments")[0].GetProperty("default").GetString()
        );
    }

    [Fact]
    public async Task A_command_is_called_at_one_server_or_at_all()
    {
        ToolRun ping = await OnHostAsync(
            "service",
            "call",
            "diagnostics",
            "ping",
            "to=2,1,2;1,0,0",
            "count=1",
            "timeout=10s",
            "--at",
            "1,0,0",
            "--json"
        );
        Assert.Equal((0, ""), (ping.ExitCode, ping.Error));
        JsonElement answer = JsonDocument.Parse(ping.Output).RootElement;
        Assert.Equal(
            ("1,0,0", "2,1,2;1,0,0"),
            (answer.GetProperty("from").GetString(), answer.GetProperty("to").GetString())
        );
        Assert.Equal(
            [3, 0],
            answer.GetProperty("replies").EnumerateArray().Select(reply => reply.GetProperty("hopsThere").GetInt32())
        );

        ToolRun first = await OnHostAsync("service", "call", "cache", "statistics", "of=server");
        Assert.Equal((0, ""), (first.ExitCode, first.Error));
        Assert.StartsWith("{\n  \"servers\": 1,\n", first.Output, StringComparison.Ordinal);
        ToolRun all = await OnHostAsync("service", "call", "cache", "statistics", "of=server", "--all", "--json");
        JsonElement[] answers = [.. JsonDocument.Parse(all.Output).RootElement.EnumerateArray()];
        Assert.Equal(27, answers.Length);
        Assert.All(answers, one => Assert.Equal(1, one.GetProperty("answer").GetProperty("servers").GetInt32()));
    }

    [Fact]
    public async Task What_goes_wrong_is_one_line_and_an_exit_code()
    {
        await RefusedAsync(
            1,
            "cuont is no argument of ping; did you mean count? to is missing (servers to ask, in turn).",
            "diagnostics",
            "ping",
            "cuont=2"
        );
        await RefusedAsync(
            1,
            "service 'diagnostics' has no command 'pong'; did you mean ping? There are ping, trace, load, servers.",
            "diagnostics",
            "pong"
        );
        await RefusedAsync(
            1,
            "server 0,0,0 has no service 'cahe'; did you mean cache? There are link-state, ",
            "cahe",
            "statistics"
        );
        await RefusedAsync(
            1,
            "there is no server '99'; there are the ranks 0 to 26",
            "cache",
            "statistics",
            "--at",
            "99"
        );
        await RefusedAsync(
            1,
            "statistics takes no body.",
            "cache",
            "statistics",
            "--body",
            typeof(ServiceCommandTests).Assembly.Location
        );
        await RefusedAsync(
            2,
            "'count' is not an argument; write NAME=VALUE, as in count=3.",
            "diagnostics",
            "ping",
            "count"
        );
        await RefusedAsync(2, "'=3' is not an argument; write NAME=VALUE, as in count=3.", "diagnostics", "ping", "=3");
        await RefusedAsync(2, "--all goes without --at and --out.", "cache", "statistics", "--all", "--at", "1");
        await RefusedAsync(2, "--body /nowhere/at/all: ", "cache", "statistics", "--body", "/nowhere/at/all");
        await RefusedAsync(2, "--at 'x' is not a server; ", "cache", "statistics", "--at", "x");

        // Every server says its part.
        ToolRun all = await OnHostAsync("service", "call", "diagnostics", "ping", "to=9,9,9", "--all");
        Assert.Equal((1, ""), (all.ExitCode, all.Error));
        Assert.Contains("2,2,2: to=9,9,9 is outside of 3x3x3.\n", all.Output, StringComparison.Ordinal);
    }

    private async Task RefusedAsync(int exitCode, string says, params string[] call)
    {
        ToolRun run = await OnHostAsync(["service", "call", .. call]);
        Assert.Equal((exitCode, ""), (run.ExitCode, run.Output));
        Assert.StartsWith($"camcube: {says}", run.OnlyErrorLine(), StringComparison.Ordinal);
    }

    private Task<ToolRun> OnHostAsync(params string[] arguments) =>
        ToolRun.Of([.. arguments, "--host", $"http://127.0.0.1:{_host.HttpPort}"]);
}
