using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary>The commands that ask a host, against the real host.</summary>
public sealed class HostCommandTests : IAsyncLifetime
{
    private HostProcess _host = null!;

    public async ValueTask InitializeAsync() => _host = await HostProcess.StartAsync();

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Fact]
    public async Task Status_and_links_tell_what_the_host_tells()
    {
        JsonElement status = await JsonAsync("status --json");
        Assert.Equal([3, 3, 3], status.GetProperty("shape").EnumerateArray().Select(size => size.GetInt32()));
        Assert.Equal(27, status.GetProperty("servers").GetArrayLength());
        Assert.Equal(27 * 6, (await JsonAsync("links --json")).GetArrayLength());
        Assert.Equal(6, (await JsonAsync("links 1,1,1 --json")).GetArrayLength());

        ToolRun table = await OnHostAsync("status");
        Assert.Equal((0, ""), (table.ExitCode, table.Error));
        Assert.Contains("27 servers", table.Output, StringComparison.Ordinal);
        Assert.Contains("diagnostics", table.Output, StringComparison.Ordinal);
        Assert.Equal(27, status.GetProperty("cache").GetProperty("servers").GetInt32());
        Assert.Equal(27L << 26, status.GetProperty("cache").GetProperty("limitBytes").GetInt64());
        Assert.Contains(
            "cache: 0 items, 0 B of 1.7 GiB, no reads, 0 evictions, 0 copies\n",
            table.Output,
            StringComparison.Ordinal
        );
        Assert.All(table.Output, c => Assert.InRange(c, '\n', '~'));
        Assert.All(table.Output.Split('\n'), line => Assert.InRange(line.Length, 0, 120));
    }

    [Theory]
    [InlineData("0 26", 3)]
    [InlineData("0,0,0 1,0,0", 1)]
    [InlineData("13 1,1,1", 0)]
    public async Task Ping_counts_the_hops_each_way(string servers, int hops)
    {
        JsonElement ping = await JsonAsync($"ping {servers} --count 3 --size 8000 --timeout 10s --json");
        Assert.Equal(8_000, ping.GetProperty("size").GetInt32());
        Assert.Equal(3, ping.GetProperty("replies").GetArrayLength());
        foreach (JsonElement reply in ping.GetProperty("replies").EnumerateArray())
        {
            Assert.True(reply.GetProperty("answered").GetBoolean());
            Assert.Equal(hops, reply.GetProperty("hopsThere").GetInt32());
            Assert.Equal(hops, reply.GetProperty("hopsBack").GetInt32());
        }
    }

    [Fact]
    public async Task Messengers_of_all_servers_have_an_endpoint_and_call_each_other()
    {
        JsonElement endpoints = await JsonAsync("messenger endpoints --json");
        Assert.Equal(27, endpoints.GetArrayLength());
        Assert.Equal("messenger@0,0,0", endpoints[0].GetProperty("name").GetString());
        Assert.Equal(
            ["name", "id", "owner", "state", "term", "received", "dropped", "windows"],
            endpoints[0].EnumerateObject().Select(property => property.Name)
        );
        foreach (string kind in (string[])["--size 56", "--size 8000", "--long --size 1000000"])
        {
            JsonElement ping = await JsonAsync($"messenger ping 0 1,1,1 --count 2 {kind} --timeout 10s --json");
            Assert.Equal(("0,0,0", "1,1,1"), ($"{ping.GetProperty("from")}", $"{ping.GetProperty("to")}"));
            Assert.Equal(2, ping.GetProperty("replies").GetArrayLength());
            Assert.All(
                ping.GetProperty("replies").EnumerateArray(),
                r => Assert.Equal("answered", $"{r.GetProperty("status")}")
            );
        }

        ToolRun text = await OnHostAsync("messenger ping 0 26");
        Assert.Contains("4 sent, 4 answered", text.Output, StringComparison.Ordinal);
        text = await OnHostAsync("messenger endpoints");
        Assert.Contains("27 endpoints", text.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_messengers_cannot_do_is_one_line_and_exit_code_2()
    {
        (string Arguments, string Words)[] wrong =
        [
            ("0 0,0,0", "FROM and TO are both server 0,0,0; name two."),
            ("0 27", "there is no server '27' in a cube 3x3x3"),
            ("9,9,9 0", "there is no server '9,9,9' in a cube 3x3x3"),
            ("0 1 --size 0", "--size '0' must be a whole number from 1 to 268,435,456"),
            ("0 1 --size -1", "--size '-1' must be a whole number"),
            ("0 1 --size 1e30", "--size '1e30' must be a whole number"),
            ("0 nobody", "'nobody' is not a server"),
        ];
        foreach ((string arguments, string words) in wrong)
        {
            ToolRun run = await OnHostAsync($"messenger ping {arguments}");
            Assert.Equal((2, ""), (run.ExitCode, run.Output));
            Assert.Contains(words, run.Error, StringComparison.Ordinal);
            Assert.Single(run.Error.TrimEnd().Split('\n'));
        }
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
    public async Task What_streams_cannot_do_is_one_line_and_exit_code_2()
    {
        (string Arguments, string Words)[] wrong =
        [
            ("0 0,0,0", "FROM and TO are both server 0,0,0; name two."),
            ("0 27", "TO '27' lies outside of 3x3x3"),
            ("9,9,9 0", "FROM '9,9,9' lies outside of 3x3x3"),
            ("0 13 --paths +x", "--paths +x leads from 0,0,0 to 1,0,0, not to 1,1,1."),
        ];
        foreach ((string arguments, string words) in wrong)
        {
            ToolRun run = await OnHostAsync($"stream {arguments}");
            Assert.Equal(2, run.ExitCode);
            Assert.Contains(words, run.OnlyErrorLine(), StringComparison.Ordinal);
        }
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

    [Theory]
    [InlineData("fault add cut --at 99", "there is no server '99'")]
    [InlineData("fault add delay", "delay needs time=...")]
    [InlineData("fault clear 77", "there is no fault rule '77' in force")]
    [InlineData("server stop 99", "there is no server '99'")]
    [InlineData("server start 3,0,0", "there is no server '3,0,0'")]
    [InlineData("cable cut 99 px", "there is no server '99'")]
    [InlineData("ping 99 0", "there is no server '99'")]
    [InlineData("ping 0 99", "there is no server '99'")]
    [InlineData("ping 0 9,9,9", "9,9,9")]
    [InlineData("ping 0 1 --size 60000", "size=60000")]
    [InlineData("links 27", "there is no server '27'")]
    public async Task What_the_host_refuses_is_one_line_and_exit_code_1(string command, string says)
    {
        ToolRun run = await OnHostAsync(command);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains(says, run.OnlyErrorLine(), StringComparison.Ordinal);
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

    private async Task<JsonElement> JsonAsync(string command)
    {
        ToolRun run = await OnHostAsync(command);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Single(run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        return JsonSerializer.Deserialize<JsonElement>(run.Output);
    }

    private Task<ToolRun> OnHostAsync(string command) =>
        ToolRun.Of([.. command.Split(' '), "--host", $"http://127.0.0.1:{_host.HttpPort}"]);
}
