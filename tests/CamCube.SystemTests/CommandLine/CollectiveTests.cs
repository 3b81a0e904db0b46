using System.Diagnostics;
using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary><c>camcube collective</c> against a real host of 27 servers.</summary>
public sealed class CollectiveTests
{
    private const string Enabled = "--Services:collectives:Enabled=true";
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task Operations_are_measured_also_two_at_once_and_no_group_is_left()
    {
        await using HostProcess host = await StartAsync();
        ToolRun run = await CollectiveAsync(host, "bench", "--bytes", "1KiB..64KiB", "--rounds", "2");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Matches(
            @"\| +bytes \| +count \| type +\| operator \| +time \(us\) \| algbw \(MB/s\) \| busbw \(MB/s\) \| wrong \|",
            run.Output
        );
        Assert.Matches(
            @"\| +65,536 \| +16,384 \| float32 \| sum +\| +[0-9.]+ \| +[0-9.]+ \| +[0-9.]+ \| +0 \|",
            run.Output
        );
        Assert.Contains("allreduce of 27 members, 2 rounds of each size", run.Output, StringComparison.Ordinal);

        ToolRun[] two = await Task.WhenAll(
            CollectiveAsync(host, "bench", "--bytes", "64KiB..256KiB", "--rounds", "2", "--json"),
            CollectiveAsync(
                host,
                "bench",
                "--op",
                "reducescatter",
                "--bytes",
                "64KiB..256KiB",
                "--rounds",
                "2",
                "--members",
                "13",
                "0;2,2,2",
                "--type",
                "int16",
                "--operator",
                "xor",
                "--json"
            )
        );
        foreach (
            (ToolRun one, string operation, int members) in new[]
            {
                (two[0], "allreduce", 27),
                (two[1], "reducescatter", 3),
            }
        )
        {
            Assert.Equal((0, ""), (one.ExitCode, one.Error));
            JsonElement bench = JsonDocument.Parse(one.Output).RootElement;
            Assert.Equal(
                ("done", operation, members),
                (
                    bench.GetProperty("state").GetString(),
                    bench.GetProperty("operation").GetString(),
                    bench.GetProperty("members").GetInt32()
                )
            );
            Assert.Equal(3, bench.GetProperty("sizes").GetArrayLength());
            Assert.All(
                bench.GetProperty("sizes").EnumerateArray(),
                static size => Assert.Equal(0, size.GetProperty("wrong").GetInt64())
            );
        }

        await AwaitGroupsAsync(host, static groups => groups.GetArrayLength() == 0);
        ToolRun none = await CollectiveAsync(host, "groups");
        Assert.Equal((0, "No group is open.\n"), (none.ExitCode, none.Output));
    }

    [Fact]
    public async Task Ctrl_C_leaves_nothing_and_a_member_that_dies_in_the_middle_is_said_in_one_line()
    {
        await using HostProcess host = await StartAsync();
        string[] endless = ["bench", "--bytes", "1MiB", "--rounds", "10000", "--members", "0", "1", "13"];
        await AwaitInterruptedAsync(host, endless);
        await AwaitGroupsAsync(host, static groups => groups.GetArrayLength() == 0);
        Task<ToolRun> first = CollectiveAsync(host, endless);
        JsonElement group = await AwaitGroupsAsync(
            host,
            static groups =>
                groups.GetArrayLength() == 3
                && groups.EnumerateArray().All(static g => g.GetProperty("done").GetInt64() > 2)
        );
        Assert.Equal(
            ("0,0,0", 3, 0, "open"),
            (
                group[0].GetProperty("server").GetString(),
                group[0].GetProperty("members").GetInt32(),
                group[0].GetProperty("rank").GetInt32(),
                group[0].GetProperty("state").GetString()
            )
        );
        Assert.True(group[0].GetProperty("bytes").GetInt64() >= 2 << 20);
        Assert.Matches(
            @"\| 1,1,1 +\| bench/[0-9a-f]{16} +\| +3 \| +2 \|",
            (await CollectiveAsync(host, "groups")).Output
        );
        ToolRun stop = await ToolRun.Of("server", "stop", "13", "--host", AddressOf(host));
        Assert.Equal((0, ""), (stop.ExitCode, stop.Error));
        ToolRun run = await first;
        Assert.Equal(1, run.ExitCode);
        Assert.Equal("camcube: allreduce was not measured to its end: 1,1,1 is lost.", run.OnlyErrorLine());
        await AwaitGroupsAsync(host, static groups => groups.GetArrayLength() == 0);
    }

    [Fact]
    public async Task What_cannot_be_is_said_in_one_line()
    {
        await using HostProcess host = await StartAsync();
        await Says(2, "--op 'sum' must be one of allreduce, reduce", "bench", "--op", "sum");
        await Says(2, "--bytes '8..4' must be a number of bytes", "bench", "--bytes", "8..4");
        await Says(2, "--bytes '4KiB..' must be a number of bytes", "bench", "--bytes", "4KiB..");
        await Says(2, "--bytes '4GiB' must be a number of bytes below 2 GiB", "bench", "--bytes", "4GiB");
        await Says(2, "--type 'float8' must be one of int8", "bench", "--type", "float8");
        await Says(2, "--type '3' must be one of int8", "bench", "--type", "3");
        await Says(2, "--operator 'plus' must be one of sum", "bench", "--operator", "plus");
        await Says(2, "there is no xor of float32", "bench", "--operator", "xor");
        await Says(2, "--members names server 1,1,1 twice", "bench", "--members", "13", "1,1,1");
        await Says(2, "--members '27' lies outside of 3x3x3", "bench", "--members", "27");
        await Says(2, "--rounds '0' must be a whole number", "bench", "--rounds", "0");
        await Says(2, "--at '3,3,3' lies outside of 3x3x3", "groups", "--at", "3,3,3");
        await Says(1, "MostMeasured", "bench", "--bytes", "1GiB");

        async Task Says(int exitCode, string words, params string[] arguments)
        {
            ToolRun run = await CollectiveAsync(host, arguments);
            Assert.Equal(exitCode, run.ExitCode);
            Assert.Contains(words, run.OnlyErrorLine(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_host_without_it_is_said_to_have_none()
    {
        await using HostProcess host = await HostProcess.StartAsync();
        foreach (string command in (string[])["bench", "groups"])
        {
            ToolRun run = await CollectiveAsync(host, command);
            Assert.Contains(Enabled, run.OnlyErrorLine(), StringComparison.Ordinal);
            Assert.Equal(3, run.ExitCode);
        }
    }

    // A server that is compiled while it runs, beside other tests, may stand still for longer than the default.
    private static Task<HostProcess> StartAsync() =>
        HostProcess.StartAsync(0, 0, Enabled, "--Liveness:DetectionTime=1s");

    private static string AddressOf(HostProcess host) => $"http://127.0.0.1:{host.HttpPort}";

    private static Task<ToolRun> CollectiveAsync(HostProcess host, params string[] arguments) =>
        ToolRun.Of(["collective", .. arguments, "--host", AddressOf(host)]);

    private static async Task<JsonElement> AwaitGroupsAsync(HostProcess host, Func<JsonElement, bool> isSo)
    {
        using var limit = new CancellationTokenSource(Patience);
        while (true)
        {
            ToolRun run = await CollectiveAsync(host, "groups", "--json");
            Assert.Equal((0, ""), (run.ExitCode, run.Error));
            JsonElement groups = JsonDocument.Parse(run.Output).RootElement;
            if (isSo(groups))
            {
                return groups;
            }

            Assert.False(limit.IsCancellationRequested, run.Output);
        }
    }

    private static async Task AwaitInterruptedAsync(HostProcess host, string[] arguments)
    {
        var start = new ProcessStartInfo(
            "env",
            [
                "--default-signal=INT",
                Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet",
                BuiltPrograms.Find("camcube"),
                "collective",
                .. arguments,
                "--host",
                AddressOf(host),
            ]
        )
        {
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> error = process.StandardError.ReadToEndAsync(),
            output = process.StandardOutput.ReadToEndAsync();
        await AwaitGroupsAsync(
            host,
            groups =>
                process.HasExited
                    ? throw new InvalidOperationException($"{error.Result}{output.Result}")
                    : groups.GetArrayLength() == 3
        );
        HostProcess.Send(process.Id, PosixSignalNumber.Interrupt);
        await process.WaitForExitAsync().WaitAsync(Patience);
        Assert.Equal((130, "camcube: cancelled.\n", ""), (process.ExitCode, await error, await output));
    }
}
