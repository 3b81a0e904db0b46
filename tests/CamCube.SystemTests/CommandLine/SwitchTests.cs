using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary>The key-value and the image store over a switch (<c>Shim=Switch</c>): three real hosts on
/// loopback.</summary>
public sealed class SwitchTests : IDisposable
{
    private const int Servers = 3;
    private const int Keys = 12;

    // One white pixel.
    private static readonly byte[] Gif = Convert.FromBase64String("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=");

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(40);
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-switch-");
    private readonly int _switch = HostProcess.FreePorts(Servers);
    private readonly int _kv = HostProcess.FreePorts(Servers);
    private readonly int _images = HostProcess.FreePorts(Servers);
    private readonly HostProcess?[] _hosts = new HostProcess?[Servers];

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Values_and_pictures_go_through_any_host_and_outlive_one_that_is_killed()
    {
        string file = Path.Combine(_folder.FullName, "a.gif");
        await File.WriteAllBytesAsync(file, Gif, TestContext.Current.CancellationToken);
        try
        {
            for (int rank = 0; rank < Servers; rank++)
            {
                Start(rank);
            }

            for (int i = 0; i < Keys; i++)
            {
                await UntilAsync(i % Servers, ["kv", "put", $"key {i}", $"value {i}"]);
            }

            for (int i = 0; i < Keys; i++)
            {
                await UntilAsync((i + 1) % Servers, ["kv", "get", $"key {i}"], $"value {i}");
            }

            ToolRun put = await UntilAsync(0, ["images", "put", file, "--as", "a.gif", "--json"]);
            JsonElement json = JsonDocument.Parse(put.Output).RootElement;
            Assert.Equal("image/gif", json.GetProperty("type").GetString());
            await UntilAsync(2, ["images", "get", "a.gif", "--out", $"{file}.2"]);
            Assert.Equal(Gif, await File.ReadAllBytesAsync($"{file}.2", TestContext.Current.CancellationToken));

            await _hosts[1]!.DisposeAsync();
            _hosts[1] = null;
            for (int i = 0; i < Keys; i++)
            {
                await UntilAsync(2 * (i % 2), ["kv", "get", $"key {i}"], $"value {i}");
            }

            await UntilAsync(0, ["images", "get", "a.gif", "--out", $"{file}.0"]);
            Assert.Equal(Gif, await File.ReadAllBytesAsync($"{file}.0", TestContext.Current.CancellationToken));
            Start(1);
            await UntilAsync(1, ["kv", "get", "key 1"], "value 1");
            await UntilAsync(1, ["status"], "Switch");
        }
        finally
        {
            foreach (HostProcess? host in _hosts)
            {
                if (host is not null)
                {
                    await host.DisposeAsync();
                }
            }
        }
    }

    private void Start(int rank) =>
        _hosts[rank] = HostProcess.Begin(
            "--Shim=Switch",
            $"--Shape={Servers}x1x1",
            $"--Coordinate={rank},0,0",
            "--FrontEndAddress=127.0.0.1",
            $"--Switch:Servers=127.0.0.1:{{rank+{_switch}}}",
            "--Services:kv:Enabled=true",
            "--Services:images:Enabled=true",
            $"--DataFolder={Path.Combine(_folder.FullName, $"{rank}")}",
            $"--FrontEnds:kv-http:Port={_kv + rank}",
            $"--FrontEnds:images:Port={_images + rank}"
        );

    // What is going on in real processes comes to it; how long that takes is not asserted.
    private async Task<ToolRun> UntilAsync(int rank, string[] arguments, string said = "")
    {
        long began = TimeProvider.System.GetTimestamp();
        while (true)
        {
            ToolRun run = await ToolRun.Of([.. arguments, "--host", $"http://127.0.0.1:{_hosts[rank]!.HttpPort}"]);
            if (run.ExitCode == 0 && run.Output.Contains(said, StringComparison.Ordinal))
            {
                return run;
            }

            Assert.True(
                TimeProvider.System.GetElapsedTime(began) < Patience,
                $"{string.Join(' ', arguments)}: {run.ExitCode}: {run.Output}{run.Error}\n{_hosts[rank]!.Output}"
            );
        }
    }
}
