using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary>A host of 27 servers, and commands to it.</summary>
public sealed class CommandedHost : IAsyncLifetime
{
    private HostProcess _host = null!;

    /// <summary>First of its ports of HTTP.</summary>
    public int HttpPort => _host.HttpPort;

    /// <inheritdoc/>
    public async ValueTask InitializeAsync() => _host = await HostProcess.StartAsync();

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _host.DisposeAsync();

    /// <summary>Runs a command that must succeed, and reads its one line of JSON.</summary>
    internal async Task<JsonElement> JsonAsync(string command)
    {
        ToolRun run = await RunAsync(command);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Single(run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        return JsonSerializer.Deserialize<JsonElement>(run.Output);
    }

    /// <summary>Runs a command.</summary>
    internal Task<ToolRun> RunAsync(string command) =>
        ToolRun.Of([.. command.Split(' '), "--host", $"http://127.0.0.1:{HttpPort}"]);
}
