using CamCube.Administration.Answers;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>The servers of a host that run a service, for commands that ask it.</summary>
internal static class ServiceServers
{
    private const string Running = "running";

    // It runs, and so do its services, while its keys are with others.
    private const string WithoutKeys = "withoutKeys";

    /// <summary>Their coordinates, in the order of the status; at least one.</summary>
    /// <param name="status">Of the host.</param>
    /// <param name="name">Of the service.</param>
    /// <param name="whatAndHow">What it is, and how a host has it: the end of a sentence.</param>
    /// <param name="only">No other server than this one; null: any.</param>
    /// <exception cref="ToolException">None runs it.</exception>
    public static string[] Of(StatusAnswer status, string name, string whatAndHow, string? only = null)
    {
        string[] servers =
        [
            .. status
                .Servers.Where(server =>
                    server.State is Running or WithoutKeys
                    && (only is null || server.Coordinate == only)
                    && server.Services.Any(service => service.Name == name && service.State == Running)
                )
                .Select(server => server.Coordinate),
        ];
        return servers.Length > 0
            ? servers
            : throw new ToolException(
                ExitCode.Unavailable,
                $"{(only is null ? "no server of this host runs" : $"server {only} does not run")} {whatAndHow}"
            );
    }
}
