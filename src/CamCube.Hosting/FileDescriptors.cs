using CamCube.Hosting.Settings;
using CamCube.Linux;

namespace CamCube.Hosting;

/// <summary>Whether the process may open as many files and sockets as the cube needs.</summary>
internal static class FileDescriptors
{
    /// <summary>A front end's listener and a few clients; every further client takes one more.</summary>
    private const int PerFrontEnd = 5;

    /// <summary>The HTTP listener and a client.</summary>
    private const int PerHttpPort = 2;

    /// <summary>Assemblies, the runtime's own pipes, logs, link drivers.</summary>
    private const int Margin = 256;

    /// <summary>The limit of this process, or null where it cannot be known. The runtime has raised it to the hard
    /// limit already.</summary>
    public static long? Limit() =>
        OperatingSystem.IsLinux() && DescriptorLimit.Read() is { } limit
            ? (long)Math.Min(limit.Soft, (ulong)long.MaxValue)
            : null;

    /// <summary>How many the cube needs, about.</summary>
    public static long Needed(int servers, int frontEnds) =>
        ((long)servers * ((frontEnds * PerFrontEnd) + PerHttpPort)) + Margin;

    /// <summary>Notes a limit that is too low.</summary>
    public static void Check(TorusShape shape, int servers, int frontEnds, long? limit, Mistakes mistakes)
    {
        long needed = Needed(servers, frontEnds);
        if (limit < needed)
        {
            mistakes.Add(
                $"CamCube:Shape = '{shape}': {servers} servers need about {needed} file descriptors "
                    + $"and this process may have {limit}. Raise the limit (ulimit -n {needed}) or choose a smaller "
                    + $"shape."
            );
        }
    }
}
