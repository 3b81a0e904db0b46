using System.Text.Json;

namespace CamCube.SystemTests.CommandLine;

/// <summary>The commands that change something in a host, each against a real host of its own.</summary>
public sealed class HostChangeTests : IAsyncLifetime
{
    private readonly CommandedHost _host = new();

    public ValueTask InitializeAsync() => _host.InitializeAsync();

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Fact]
    public async Task A_bundled_service_is_reloaded_and_the_status_says_what_runs()
    {
        ToolRun text = await OnHostAsync("service reload diagnostics");
        Assert.Equal((0, ""), (text.ExitCode, text.Error));
        Assert.Matches(@"^diagnostics, with streams: 0\.[\d.]+ \([0-9a-f]{12}\) on 27 of 27 servers\n", text.Output);
        Assert.Equal(0, (await OnHostAsync("server stop 13")).ExitCode);
        JsonElement answer = await JsonAsync("service reload cache --json");
        Assert.Equal("stopped", answer.GetProperty("servers")[13].GetProperty("code").GetString());
        Assert.Contains(
            "on 27 of 27 servers\nstopped, will start with it: 1,1,1\n",
            (await OnHostAsync("service reload cache")).Output,
            StringComparison.Ordinal
        );
        Assert.Equal(0, (await OnHostAsync("server start 13")).ExitCode);
        Assert.Contains(
            $"{answer.GetProperty("version").GetString()} ({answer.GetProperty("hash").GetString()})",
            (await OnHostAsync("status")).Output,
            StringComparison.Ordinal
        );
        ToolRun away = await OnHostAsync("service reload cache --from ../..");
        Assert.Equal(1, away.ExitCode);
        Assert.StartsWith("camcube: '../..': it is outside of ", away.OnlyErrorLine(), StringComparison.Ordinal);
        ToolRun nobody = await OnHostAsync("service reload cahce");
        Assert.Equal(1, nobody.ExitCode);
        Assert.Contains(
            "has no service 'cahce'; did you mean cache?",
            nobody.OnlyErrorLine(),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Streams_between_two_servers_are_measured()
    {
        JsonElement all = await JsonAsync("stream 0 1,1,1 --bytes 20MB --count 2 --json");
        Assert.Equal(
            ["from", "to", "bytes", "seconds", "goodputBitsPerSecond", "end", "paths", "streams"],
            all.EnumerateObject().Select(property => property.Name)
        );
        Assert.Equal(
            "0,0,0 1,1,1 20000000 Finished",
            $"{all.GetProperty("from")} {all.GetProperty("to")} {all.GetProperty("bytes")} {all.GetProperty("end")}"
        );
        Assert.Equal(2, all.GetProperty("streams").GetArrayLength());
        JsonElement told = await StreamsAsync(row => row.GetProperty("bytes").GetInt64() > 20_000_000);
        Assert.Equal("27", $"{told.GetProperty("servers")}");
        Assert.InRange(told.GetProperty("paths").GetArrayLength(), 2, 6);
        Assert.Equal(
            ["link", "packets", "bytes", "lost", "marked", "window", "roundTripMicros"],
            told.GetProperty("paths")[0].EnumerateObject().Select(property => property.Name)
        );
        string table = (await OnHostAsync("status")).Output;
        Assert.Matches(@"\| streams +\| +\d+ \| +\d+ \| [ 0-9,]+ \|", table);
        Assert.Matches(@"messenger: 27 endpoints, \d+ messages received, 0 dropped, 0 windows posted\n", table);
        Assert.InRange(all.GetProperty("paths").GetArrayLength(), 2, 6);
        Assert.Equal(
            ["link", "bytes", "lost", "marked", "window", "roundTripMicros"],
            all.GetProperty("paths")[0].EnumerateObject().Select(property => property.Name)
        );
        ToolRun text = await OnHostAsync("stream 0 1 --paths px --time 100ms");
        Assert.Equal((0, ""), (text.ExitCode, text.Error));
        Assert.StartsWith("from 0,0,0 to 1,0,0\n", text.Output, StringComparison.Ordinal);
        Assert.Contains("| +x ", text.Output, StringComparison.Ordinal);
        Assert.EndsWith("bit/s; Finished\n", text.Output, StringComparison.Ordinal);

        // The client goes in the middle.
        using (var client = new HttpClient())
        using (var gone = new CancellationTokenSource())
        {
            var send = new Uri(
                $"http://127.0.0.1:{_host.HttpPort}/api/servers/0/services/streams/send?to=1,1,1&count=50&for=600s"
            );
            Task<HttpResponseMessage> leaves = client.PostAsync(send, null, gone.Token);
            await StreamsAsync(row => row.GetProperty("open").GetInt64() == 100);
            await gone.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => leaves);
            await StreamsAsync(row => row.GetProperty("open").GetInt64() == 0);
        }

        // The reader dies in the middle.
        Task<ToolRun> asked = OnHostAsync("stream 0 13 --time 600s --json");
        await StreamsAsync(row => row.GetProperty("open").GetInt64() == 2);
        await JsonAsync("server stop 13 --json");
        ToolRun lost = await asked;
        Assert.Equal(1, lost.ExitCode);
        Assert.StartsWith("camcube: the streams ended with PeerLost after ", lost.Error, StringComparison.Ordinal);
        Assert.Single(lost.Error.TrimEnd().Split('\n'));
        Assert.Contains("\"end\":\"PeerLost\"", lost.Output, StringComparison.Ordinal);
        ToolRun none = await OnHostAsync("stream 0 13");
        Assert.Equal((1, "camcube: to=1,1,1: no way there is known."), (none.ExitCode, none.OnlyErrorLine()));
    }

    [Fact]
    public async Task A_server_stops_answers_no_ping_and_starts_again()
    {
        Assert.Equal("stopped", (await JsonAsync("server stop 13 --json")).GetProperty("state").GetString());
        ToolRun ping = await OnHostAsync("ping 0 1,1,1 --count 1 --timeout 50ms");
        Assert.Equal((1, ""), (ping.ExitCode, ping.Error));
        Assert.Contains("1 sent, 0 answered", ping.Output, StringComparison.Ordinal);
        Assert.Contains("stopped", (await OnHostAsync("status")).Output, StringComparison.Ordinal);
        Assert.Equal(6, (await JsonAsync("links 13 --json")).GetArrayLength());

        ToolRun start = await OnHostAsync("server start 1,1,1");
        Assert.Equal((0, ""), (start.ExitCode, start.Error));
        Assert.StartsWith("server 1,1,1 (rank 13): running", start.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_cable_is_cut_and_mended_by_any_of_its_names()
    {
        Assert.Equal("cable -x of server 0: cut\n", (await OnHostAsync("cable cut 0 -x")).Output);
        JsonElement links = await JsonAsync("links --json");
        Assert.Equal(
            ["0 -x", "2 +x"],
            links
                .EnumerateArray()
                .Where(link => link.GetProperty("cable").GetString() == "cut")
                .Select(link => $"{link.GetProperty("rank")} {link.GetProperty("link")}")
        );
        ToolRun mend = await OnHostAsync("cable mend 2,0,0 px");
        Assert.Equal((0, ""), (mend.ExitCode, mend.Error));
        Assert.DoesNotContain("\"cut\"", (await OnHostAsync("status --json")).Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Fault_rules_are_put_into_force_listed_and_ended()
    {
        Assert.Equal(
            "rule 1: loss at=0:px probability=1\n",
            (await OnHostAsync("fault add loss --at 0:+x --probability 1")).Output
        );
        Assert.Equal(
            "rule 2: delay service=diagnostics time=2ms\n",
            (await OnHostAsync("fault add delay --time 2ms --service diagnostics")).Output
        );
        Assert.Contains(
            "| 1    | loss at=0:px probability=1 ",
            (await OnHostAsync("fault list")).Output,
            StringComparison.Ordinal
        );
        JsonElement rest = await JsonAsync("fault clear 1 --json");
        Assert.Equal(2, Assert.Single(rest.GetProperty("rules").EnumerateArray()).GetProperty("id").GetInt32());
        Assert.StartsWith(
            "no fault rules in force; so far: ",
            (await OnHostAsync("fault clear")).Output,
            StringComparison.Ordinal
        );
    }

    // Its numbers are up to 250 ms old.
    private async Task<JsonElement> StreamsAsync(Func<JsonElement, bool> isWanted)
    {
        for (int i = 0; ; i++)
        {
            foreach (JsonElement row in (await JsonAsync("status --json")).GetProperty("streams").EnumerateArray())
            {
                if (row.GetProperty("service").GetString() == "streams" && isWanted(row))
                {
                    return row;
                }
            }

            Assert.True(i < 60, "The status does not tell of the streams.");
        }
    }

    private Task<JsonElement> JsonAsync(string command) => _host.JsonAsync(command);

    private Task<ToolRun> OnHostAsync(string command) => _host.RunAsync(command);
}
