using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Camdoop;

/// <summary>Where the cube's client comes from. The one place to change when the service has its front end.</summary>
internal static class CamdoopClients
{
    /// <summary>A client of a host's cube.</summary>
    public static Task<ICamdoopClient> ConnectAsync(HostAddress host, CancellationToken cancel)
    {
        cancel.ThrowIfCancellationRequested();
        throw new ToolException(ExitCode.Unavailable, $"no server of {host} answers for Camdoop now.");
    }
}
