using CamCube.Hosting;
using CamCube.Shim.Ethernet;
using CamCube.Shim.Switch;
using CamCube.Shim.Udp;
using Microsoft.Extensions.Logging;

namespace CamCube.Host;

/// <summary>The whole host with all that it brings, for its own program and for others that run it in their
/// process.</summary>
public static class CamCubeHost
{
    /// <summary>
    /// Runs a host until Ctrl+C, SIGTERM or cancellation. Its settings, services and front ends are those in the folder
    /// of the process's program, where the build puts them.
    /// </summary>
    /// <param name="arguments">Its command line.</param>
    /// <param name="tool">How people call the program that runs it, if that is the command line, and <c>run</c> behind
    /// it is this; null: the host's own program.</param>
    /// <param name="call">How people call what runs it, if that is neither.</param>
    /// <param name="output">Standard output; null: the process's.</param>
    /// <param name="errors">Standard error; null: the process's.</param>
    /// <param name="log">Also gets what is logged; the caller disposes of it, afterwards; null: nobody does.</param>
    /// <param name="cancel">As Ctrl+C.</param>
    /// <returns>The exit code: 0, 1 or 2, as <see cref="HostProgram"/> says.</returns>
    public static Task<int> RunAsync(
        IReadOnlyList<string> arguments,
        string? tool = null,
        string? call = null,
        TextWriter? output = null,
        TextWriter? errors = null,
        ILoggerProvider? log = null,
        CancellationToken cancel = default
    )
    {
        var usual = new HostSetup();
        // Installed, the command line lies beside the host, and there is no checkout.
        if (tool is null && File.Exists(Path.Combine(AppContext.BaseDirectory, "camcube.dll")))
        {
            usual = new HostSetup { Call = "CamCube.Host", ToolCall = "camcube" };
        }

        return HostProgram.RunAsync(
            new HostSetup
            {
                Arguments = arguments,
                Cubes = [new SimulatorCubeFactory(TimeProvider.System)],
                LinkProviders = [new EthernetProvider(), new UdpProvider(), new SwitchProvider()],
                Call = call ?? (tool is null ? usual.Call : $"{tool} run"),
                ToolCall = tool ?? usual.ToolCall,
                Output = output ?? usual.Output,
                Errors = errors ?? usual.Errors,
                Log = log,
            },
            cancel
        );
    }
}
