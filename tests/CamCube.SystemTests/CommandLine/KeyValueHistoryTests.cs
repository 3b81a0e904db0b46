using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary><c>camcube kv record</c> against real hosts, one of which is killed in the middle, and <c>check</c> of what
/// it has written, also after it was altered.</summary>
public sealed class KeyValueHistoryTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-kv-history-");
    private readonly int _port = HostProcess.FreePorts(3);

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task What_clients_were_told_while_the_host_was_killed_is_linearizable_and_a_changed_word_is_not()
    {
        string file = Path.Combine(_folder.FullName, "history");
        HostProcess host = await StartAsync(0);
        int port = host.HttpPort;
        string[] arguments = ["kv", "record", file, "--for", "8s", "--clients", "6", "--keys", "5", "--json"];
        Task<ToolRun> record = ToolRun.Of([.. arguments, "--host", $"http://127.0.0.1:{port}"]);
        while (!File.Exists(file))
        {
            await Task.Delay(20, TestContext.Current.CancellationToken);
        }

        await Task.Delay(1_000, TestContext.Current.CancellationToken);
        host.Signal(PosixSignalNumber.Kill);
        await host.WaitForEndAsync();
        await host.DisposeAsync();
        await using HostProcess again = await StartAsync(port);
        ToolRun run = await record;
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        JsonElement json = JsonDocument.Parse(run.Output).RootElement;
        Assert.True(json.GetProperty("unknown").GetInt32() + json.GetProperty("unavailable").GetInt32() > 0);
        string[] lines = await File.ReadAllLinesAsync(file, TestContext.Current.CancellationToken);
        Assert.Equal(json.GetProperty("operations").GetInt32(), lines.Length);
        ToolRun check = await ToolRun.Of(["kv", "check", file]);
        Assert.Equal((0, ""), (check.ExitCode, check.Error));
        Assert.StartsWith($"linearizable: {lines.Length:N0} operations, ", check.Output, StringComparison.Ordinal);

        // Somebody reads what was there long before.
        int read = Array.FindLastIndex(lines, static line => line.Contains("\"value\"") && !line.Contains("\"kind\""));
        string value = JsonDocument.Parse(lines[read]).RootElement.GetProperty("value").GetString()!;
        lines[read] = lines[read].Replace($"\"{value}\"", "\"nobody-0-0\"", StringComparison.Ordinal);
        await File.WriteAllLinesAsync(file, lines, TestContext.Current.CancellationToken);
        check = await ToolRun.Of(["kv", "check", file]);
        Assert.Equal((1, ""), (check.ExitCode, check.Error));
        Assert.StartsWith("NOT LINEARIZABLE: ", check.Output, StringComparison.Ordinal);
        Assert.Contains(" nobody-0-0", check.Output, StringComparison.Ordinal);
        check = await ToolRun.Of(["kv", "check", file, "--json"]);
        json = JsonDocument.Parse(check.Output).RootElement;
        Assert.False(json.GetProperty("linearizable").GetBoolean());
        Assert.InRange(json.GetProperty("contradiction").GetArrayLength(), 1, lines.Length / 2);
        await File.WriteAllTextAsync(file, "{\"key\":\"a\"", TestContext.Current.CancellationToken);
        check = await ToolRun.Of(["kv", "check", file]);
        Assert.Equal(2, check.ExitCode);
        Assert.Contains("Line 1 is no operation", check.OnlyErrorLine(), StringComparison.Ordinal);
        Assert.Equal(2, (await ToolRun.Of(["kv", "check", "nothing"])).ExitCode);
    }

    private Task<HostProcess> StartAsync(int port) =>
        HostProcess.StartAsync(
            0,
            port,
            "--Shape=3x1x1",
            "--Services:kv:Enabled=true",
            $"--DataFolder={Path.Combine(_folder.FullName, "data")}",
            $"--FrontEnds:kv-http:Port={_port}"
        );
}
