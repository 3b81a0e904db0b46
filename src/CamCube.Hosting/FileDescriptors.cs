using System.Runtime.InteropServices;
using CamCube.Hosting.Settings;

namespace CamCube.Hosting;

/// <summary>Whether the process may open as many files and sockets as the cube needs.</summary>
internal static partial class FileDescriptors
{
    private const int NumberOfFiles = 7;

    /// <summary>A front end's listener and a few clients; every further client takes one more.</summary>
    private const int PerFrontEnd = 5;

    /// <summary>The HTTP listener and a client.</summary>
    private const int PerHttpPort = 2;

    /// <summary>Assemblies, the runtime's own pipes, logs, link drivers.</summary>
    private const int Margin = 256;

    /// <summary>The limit of this process, or null where it cannot be known. The runtime has raised it to the hard
    /// limit already.</summary>
    public static long? Limit()
    {
        if (!OperatingSystem.IsLinux() || GetLimit(NumberOfFiles, out ResourceLimit limit) != 0)
        {
            return null;
        }

        return limit.Soft > long.MaxValue ? long.MaxValue : (long)limit.Soft;
    }

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

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    private static partial int GetLimit(int resource, out ResourceLimit limit);

    [StructLayout(LayoutKind.Sequential)]
    private struct ResourceLimit
    {
        public ulong Soft;
        public ulong Hard;
    }
}
