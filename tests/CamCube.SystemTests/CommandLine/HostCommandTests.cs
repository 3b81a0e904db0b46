using System.Text.Json;

namespace CamCube.SystemTests.CommandLine;

/// <summary>The commands that ask a host and change nothing there, against one real host for all of them.</summary>
public sealed class HostCommandTests(CommandedHost host) : IClassFixture<CommandedHost>
{
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
    public async Task A_trace_names_the_servers_on_the_way_and_says_where_it_ends()
    {
        JsonElement trace = await JsonAsync("trace 0 2,1,2 --service cache --timeout 10s --json");
        Assert.Equal("arrived", $"{trace.GetProperty("end")}");
        JsonElement[] hops = [.. trace.GetProperty("hops").EnumerateArray()];
        Assert.Equal(4, hops.Length);
        Assert.All(hops, hop => Assert.True(hop.GetProperty("runsService").GetBoolean()));
        ToolRun text = await OnHostAsync("trace 13 1,1,1 --timeout 10s");
        Assert.Contains("arrived after 0 hops", text.Output, StringComparison.Ordinal);
        text = await OnHostAsync("trace 0 1 --service nobody");
        Assert.Equal(1, text.ExitCode);
        Assert.Contains("there is no service 'nobody' on 0,0,0", text.OnlyErrorLine(), StringComparison.Ordinal);
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

    private Task<JsonElement> JsonAsync(string command) => host.JsonAsync(command);

    private Task<ToolRun> OnHostAsync(string command) => host.RunAsync(command);
}
