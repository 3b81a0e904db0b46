using CamCube.Administration.Answers;

namespace CamCube.Tool.Hosts;

/// <summary>The collectives, as the commands ask the servers of a host for them. What goes wrong is a
/// <see cref="Syntax.ToolException"/>.</summary>
/// <param name="host">The host.</param>
internal sealed class CollectivesHost(ToolHost host)
{
    private const string Service = "collectives";
    private static readonly TimeSpan Work = TimeSpan.FromSeconds(30);

    /// <summary>The host's status.</summary>
    public Task<StatusAnswer> StatusAsync(CancellationToken cancel) => host.StatusAsync(cancel);

    /// <summary>The servers that run collectives; at least one.</summary>
    public static string[] ServersOf(StatusAnswer status, string? only = null) =>
        ServiceServers.Of(
            status,
            Service,
            "collectives; a host has them with --Services:collectives:Enabled=true.",
            only
        );

    /// <summary>Asks a server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="command">The command, and its arguments.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public Task<string> AskAsync(string server, string command, CancellationToken cancel) =>
        host.PostAsync($"/api/servers/{server}/services/{Service}/{command}", Work, cancel);

    /// <summary>Reads an answer.</summary>
    public T Read<T>(string json) => host.Read<T>(json);
}
