using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary><c>camcube kv recover</c> against three real servers, of which two lose their folders.</summary>
public sealed class KeyValueRecoverTests : IDisposable
{
    private const int Servers = 3;
    private const int Keys = 3;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(40);
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-kv-recover-");
    private readonly int _udp = HostProcess.FreePorts(8 * Servers);
    private readonly int _port = HostProcess.FreePorts(Servers);
    private readonly HostProcess?[] _hosts = new HostProcess?[Servers];

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Two_of_three_stores_are_given_up_and_what_the_third_had_is_there()
    {
        try
        {
            await StartAsync(0, 1, 2);
            for (int i = 0; i < Keys; i++)
            {
                await UntilAsync(2, 0, $"key {i} is put", "put", $"key {i}", $"value {i}");
            }

            // Off, and their disks are gone: the third has no majority of anything, and does not say that it has
            // nothing.
            await StopAsync(0, 1);
            ToolRun status = await UntilAsync(
                2,
                0,
                "it says so",
                ["status"],
                "2,0,0 reaches no majority of the stores"
            );
            Assert.Contains("if their disks are gone for good, camcube kv recover", status.Output);
            ToolRun plan = await RunAsync(2, "recover", "--lost", "0,0,0", "--lost", "1,0,0");
            Assert.Equal((1, ""), (plan.ExitCode, plan.Error));
            Assert.Contains("nothing was done: --accept-loss does it", plan.Output);
            Assert.Contains("2,0,0 to ", plan.Output);
            await StartAsync(0, 1);
            await UntilAsync(2, 1, "all are heard", ["recover", "--lost", "0,0,0", "--lost", "1,0,0"], " 1,0,0 2,0,0 ");
            ToolRun one = await RunAsync(2, "recover", "--lost", "0,0,0", "--accept-loss");
            Assert.Equal((1, ""), (one.ExitCode, one.Output));
            Assert.Contains("1,0,0 has another store than it had: name with --lost whose store is gone", one.Error);
            await UntilAsync(
                2,
                0,
                "it is done",
                ["recover", "--lost", "0,0,0", "--lost", "1,0,0", "--accept-loss"],
                "done: "
            );
            for (int i = 0; i < Keys; i++)
            {
                await UntilAsync(i % Servers, 0, $"key {i} is there", ["get", $"key {i}"], $"value {i}");
            }

            await UntilAsync(0, 0, "all have a copy", ["groups"], " 0 without a leader, 0 with a member away");
            ToolRun again = await RunAsync(1, "recover", "--lost", "0,0,0", "--lost", "1,0,0", "--accept-loss");
            Assert.Equal((0, ""), (again.ExitCode, again.Error));
            Assert.Contains("nothing to recover", again.Output);
        }
        finally
        {
            await StopAsync([.. Enumerable.Range(0, Servers).Where(rank => _hosts[rank] is not null)]);
        }
    }

    private async Task StartAsync(params int[] ranks)
    {
        foreach (int rank in ranks)
        {
            int next = (rank + 1) % Servers,
                before = (rank + 2) % Servers;
            _hosts[rank] = HostProcess.Begin(
                "--Shim=Udp",
                "--Shape=3x1x1",
                $"--Coordinate={rank},0,0",
                "--AllowControl=true",
                $"--StateDirectory={Path.Combine(_folder.FullName, $"{rank}", "state")}",
                $"--DataFolder={Path.Combine(_folder.FullName, $"{rank}", "data")}",
                "--FrontEndAddress=127.0.0.1",
                "--Services:kv:Enabled=true",
                $"--FrontEnds:kv-http:Port={_port + rank}",
                $"--Udp:ClusterKey={Convert.ToBase64String(new byte[32])}",
                $"--Udp:BasePort={_udp + (8 * rank)}",
                "--Udp:BindAddress=127.0.0.1",
                $"--Udp:Neighbours:+x=127.0.0.1:{_udp + (8 * next) + 1}",
                $"--Udp:Neighbours:-x=127.0.0.1:{_udp + (8 * before)}"
            );
        }

        foreach (int rank in ranks)
        {
            await UntilAsync(rank, 0, "it has its place", ["status"], $"{rank},0,0");
        }
    }

    private async Task StopAsync(params int[] ranks)
    {
        foreach (int rank in ranks)
        {
            await _hosts[rank]!.DisposeAsync();
            _hosts[rank] = null;
            Directory.Delete(Path.Combine(_folder.FullName, $"{rank}"), recursive: true);
        }
    }

    private Task<ToolRun> UntilAsync(int rank, int code, string what, params string[] arguments) =>
        UntilAsync(rank, code, what, arguments, "");

    // What is going on in real processes comes to it; how long that takes is not asserted.
    private async Task<ToolRun> UntilAsync(int rank, int code, string what, string[] arguments, string said)
    {
        long began = TimeProvider.System.GetTimestamp();
        while (true)
        {
            ToolRun run = await RunAsync(rank, arguments);
            if (run.ExitCode == code && run.Output.Contains(said, StringComparison.Ordinal))
            {
                return run;
            }

            Assert.True(
                TimeProvider.System.GetElapsedTime(began) < Patience,
                $"{what}: not so: exit code {run.ExitCode}: {run.Output}{run.Error}\n{_hosts[rank]!.Output}"
            );
        }
    }

    private Task<ToolRun> RunAsync(int rank, params string[] arguments) =>
        ToolRun.Of(["kv", .. arguments, "--host", $"http://127.0.0.1:{_hosts[rank]!.HttpPort}"]);
}
