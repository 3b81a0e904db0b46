using System.Diagnostics;
using System.Text.Json;
using CamCube.SystemTests.CommandLine;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Cables;

/// <summary>What <c>camcube testbed</c> makes, it removes, and nothing else.</summary>
[Collection(CablesGroup.Name)]
public sealed class TestbedTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-testbed-").FullName;

    [Fact]
    public async Task Two_real_servers_come_up_and_are_shown_and_nothing_is_left_of_them()
    {
        CableBed bed = await CableBed.StartAsync("1x1x2", "ethernet");
        await using (bed)
        {
            Assert.Equal(2, bed.Up.GetProperty("cables").GetInt32());
            JsonElement status = JsonDocument
                .Parse(await bed.DoAsync("status", "--json", "--interval", "100ms"))
                .RootElement;
            Assert.Equal(
                ["ready", "ready"],
                status.GetProperty("servers").EnumerateArray().Select(s => s.GetProperty("state").GetString())
            );
            Assert.InRange(
                status.GetProperty("totals").GetProperty("proportionalBytes").GetInt64(),
                10_000_000,
                1_000_000_000
            );
            ToolRun exec = await ToolRun.Of(
                "testbed",
                "exec",
                "--name",
                bed.Name,
                "0,0,1",
                "--",
                "sh",
                "-c",
                "ls /sys/class/net; exit 7"
            );
            Assert.Equal((7, "eth5\neth6\nlo\n"), (exec.ExitCode, exec.Output));
            await bed.DoAsync("kill", "0,0,1");
            ToolRun again = await ToolRun.Of("testbed", "kill", "--name", bed.Name, "0,0,1");
            Assert.Equal((1, "camcube: server 0,0,1 does not run.\n"), (again.ExitCode, again.Error));
            await bed.DoAsync("start", "0,0,1");
        }

        CableBed.AssertNothingLeft(bed.Name);
    }

    [Fact]
    public async Task Servers_at_a_switch_have_a_port_each_and_no_cables()
    {
        CableBed bed = await CableBed.StartAsync("3x1x1", "switch", "--rate", "20mbit");
        await using (bed)
        {
            Assert.Equal(3, bed.Up.GetProperty("cables").GetInt32());
            ToolRun exec = await ToolRun.Of(
                "testbed",
                "exec",
                "--name",
                bed.Name,
                "2,0,0",
                "--",
                "sh",
                "-c",
                "ls /sys/class/net; tc qdisc show dev eth1"
            );
            Assert.StartsWith("eth1\nlo\nqdisc tbf", exec.Output, StringComparison.Ordinal);
            ToolRun cut = await ToolRun.Of("testbed", "cut", "--name", bed.Name, "0,0,0:+x");
            Assert.Equal(
                (1, $"camcube: the servers of testbed '{bed.Name}' are at a switch: it has no cables.\n"),
                (cut.ExitCode, cut.Error)
            );
        }

        CableBed.AssertNothingLeft(bed.Name);
    }

    [Fact]
    public async Task A_namespace_that_somebody_else_made_is_refused_and_left_alone()
    {
        RequireAll.Testbed();
        string name = CableBed.NewName();
        await ProgramRun.Must("ip", "netns", "add", $"{name}-0-0-1");
        try
        {
            ToolRun up = await ToolRun.Of("testbed", "up", "--name", name, "--shape", "1x1x2", "--program", Sleeper());
            Assert.Equal(1, up.ExitCode);
            Assert.Contains($"there is a network namespace '{name}-0-0-1' that no testbed made", up.OnlyErrorLine());
            ToolRun down = await ToolRun.Of("testbed", "down", "--name", name);
            Assert.Equal((0, $"there is no testbed '{name}'\n"), (down.ExitCode, down.Output));
            Assert.True(File.Exists($"/run/netns/{name}-0-0-1"));
            Assert.False(File.Exists($"/run/netns/{name}-0-0-0"));
        }
        finally
        {
            await ProgramRun.Of("ip", "netns", "delete", $"{name}-0-0-1");
        }
    }

    [Fact]
    public async Task A_namespace_that_was_replaced_meanwhile_is_left_alone_with_its_processes()
    {
        string name = await StartSleepersAsync();
        await ProgramRun.Must("ip", "netns", "delete", $"{name}-0-0-0");
        await ProgramRun.Must("ip", "netns", "add", $"{name}-0-0-0");
        using Process other = Process.Start("ip", ["netns", "exec", $"{name}-0-0-0", "sleep", "60"]);
        try
        {
            ToolRun down = await ToolRun.Of("testbed", "down", "--name", name);
            Assert.Equal(
                (0, $"testbed '{name}' is removed; not its own any more, and left alone: {name}-0-0-0\n"),
                (down.ExitCode, down.Output)
            );
            Assert.True(File.Exists($"/run/netns/{name}-0-0-0"));
            Assert.False(other.HasExited);
        }
        finally
        {
            other.Kill();
            await ProgramRun.Of("ip", "netns", "delete", $"{name}-0-0-0");
        }

        CableBed.AssertNothingLeft(name);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(150)]
    [InlineData(400)]
    public async Task What_a_killed_up_left_is_removed(int millis)
    {
        RequireAll.Testbed();
        string name = CableBed.NewName(),
            state = $"/run/camcube-testbed/{name}.json";
        using Process up = Process.Start(
            new ProcessStartInfo(
                "dotnet",
                [
                    BuiltPrograms.Find("camcube"),
                    "testbed",
                    "up",
                    "--name",
                    name,
                    "--shape",
                    "3x3x1",
                    "--program",
                    Sleeper(),
                ]
            )
            {
                RedirectStandardOutput = true,
            }
        )!;
        Assert.True(SpinWait.SpinUntil(() => File.Exists(state), 30_000), "up wrote no state.");
        await Task.Delay(millis);
        HostProcess.Send(up.Id, PosixSignalNumber.Kill);
        await up.WaitForExitAsync();
        Assert.Equal(0, (await ToolRun.Of("testbed", "down", "--name", name)).ExitCode);
        CableBed.AssertNothingLeft(name);
    }

    [Fact]
    public async Task Who_is_not_ready_in_time_is_named_and_stays_to_be_looked_at()
    {
        string name = await StartSleepersAsync();
        ToolRun second = await ToolRun.Of("testbed", "up", "--name", name, "--program", Sleeper());
        Assert.Contains($"there is a testbed '{name}' already", second.OnlyErrorLine());
        ToolRun status = await ToolRun.Of("testbed", "status", "--name", name, "--interval", "100ms");
        Assert.Contains("ready: 0 of 2", status.Output);
        Assert.Equal(0, (await ToolRun.Of("testbed", "down", "--name", name)).ExitCode);
        CableBed.AssertNothingLeft(name);
    }

    [Fact]
    public async Task Servers_that_end_at_once_are_named_with_the_end_of_their_output()
    {
        RequireAll.Testbed();
        string name = CableBed.NewName();
        ToolRun up = await ToolRun.Of(
            "testbed",
            "up",
            "--name",
            name,
            "--shape",
            "1x1x2",
            "--program",
            Script("echo no such setting; exit 2")
        );
        Assert.Equal(1, up.ExitCode);
        Assert.Contains("2 servers of 2 ended: 0,0,0, 0,0,1. The output of 0,0,0 ends: no such setting", up.Error);
        Assert.Equal(0, (await ToolRun.Of("testbed", "down", "--name", name)).ExitCode);
        CableBed.AssertNothingLeft(name);
    }

    [Fact]
    public async Task A_working_folder_that_was_deleted_is_named_and_nothing_is_made()
    {
        RequireAll.Testbed();
        string name = CableBed.NewName(),
            gone = Path.Combine(_folder, "gone");
        ProgramRun up = await ProgramRun.Of(
            "sh",
            "-c",
            $"mkdir '{gone}' && cd '{gone}' && rmdir '{gone}' && exec dotnet '{BuiltPrograms.Find("camcube")}' "
                + $"testbed up --name {name} --shape 1x1x2"
        );
        Assert.Equal((1, "camcube: "), (up.ExitCode, up.Error[..9]));
        Assert.EndsWith("the working folder was deleted; change to another one.\n", up.Error, StringComparison.Ordinal);
        Assert.Single(up.Error, '\n');
        CableBed.AssertNothingLeft(name);
    }

    [Fact]
    public async Task Every_command_but_up_says_that_there_is_no_testbed()
    {
        RequireAll.Testbed();
        foreach (string command in new[] { "status", "exec 0 -- true", "kill 0", "start 0", "cut 0:+x", "mend" })
        {
            ToolRun run = await ToolRun.Of(["testbed", .. command.Split(' '), "--name", "ct0-none"]);
            if (!command.StartsWith("exec", StringComparison.Ordinal))
            {
                Assert.Equal(
                    (1, "camcube: there is no testbed 'ct0-none'; 'camcube testbed up' makes one.\n"),
                    (run.ExitCode, run.Error)
                );
            }
        }
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task<string> StartSleepersAsync()
    {
        RequireAll.Testbed();
        string name = CableBed.NewName();
        ToolRun up = await ToolRun.Of(
            "testbed",
            "up",
            "--name",
            name,
            "--shape",
            "1x1x2",
            "--program",
            Sleeper(),
            "--timeout",
            "1s"
        );
        Assert.Equal(1, up.ExitCode);
        Assert.Contains("2 servers of 2 not ready after ", up.Error);
        Assert.Contains("0,0,0 (does not answer), 0,0,1 (does not answer)", up.Error);
        return name;
    }

    /// <summary>Runs and never gets ready.</summary>
    private string Sleeper() => Script("sleep 120 & wait");

    private string Script(string body)
    {
        string path = Path.Combine(_folder, "program");
        File.WriteAllText(path, $"#!/bin/sh\n{body}\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        return path;
    }
}
