using System.Runtime.InteropServices;

namespace CamCube.Memcached;

/// <summary>File descriptors for as many clients as -c says.</summary>
internal static partial class MemcachedDescriptors
{
    private const int Files = 7;

    // Assemblies, the runtime's own pipes, listening sockets.
    private const ulong OwnNeed = 256;

    /// <summary>Raises the process's limit where it is too low. Only root may go beyond the hard limit.</summary>
    /// <exception cref="MemcachedException">There cannot be so many clients.</exception>
    public static void Raise(int clients)
    {
        if (!OperatingSystem.IsLinux() || GetLimit(Files, out Limit limit) != 0)
        {
            return;
        }

        ulong wanted = (ulong)clients + OwnNeed;
        if (limit.Soft >= wanted)
        {
            return;
        }

        var raised = new Limit(wanted, Math.Max(limit.Hard, wanted));
        var most = new Limit(limit.Hard, limit.Hard);
        if (SetLimit(Files, raised) != 0 && ((ulong)clients > limit.Hard || SetLimit(Files, most) != 0))
        {
            // Where only what this process needs itself is missing it starts: the last clients wait then, as
            // memcached's do.
            throw new MemcachedException(
                "failed to set rlimit for open files. Try starting as root or requesting smaller maxconns value.",
                MemcachedProgram.Refused
            );
        }
    }

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    private static partial int GetLimit(int resource, out Limit limit);

    [LibraryImport("libc", EntryPoint = "setrlimit")]
    private static partial int SetLimit(int resource, in Limit limit);

    private readonly record struct Limit(ulong Soft, ulong Hard);
}
