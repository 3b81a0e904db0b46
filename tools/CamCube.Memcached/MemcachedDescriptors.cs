using CamCube.Linux;

namespace CamCube.Memcached;

/// <summary>File descriptors for as many clients as -c says.</summary>
internal static class MemcachedDescriptors
{
    // Assemblies, the runtime's own pipes, listening sockets.
    private const ulong OwnNeed = 256;

    /// <summary>Raises the process's limit where it is too low. Only root may go beyond the hard limit.</summary>
    /// <exception cref="MemcachedException">There cannot be so many clients.</exception>
    public static void Raise(int clients)
    {
        if (!OperatingSystem.IsLinux() || DescriptorLimit.Read() is not { } limit)
        {
            return;
        }

        ulong wanted = (ulong)clients + OwnNeed;
        if (limit.Soft >= wanted)
        {
            return;
        }

        var raised = new DescriptorLimit(wanted, Math.Max(limit.Hard, wanted));
        if (!raised.TrySet() && ((ulong)clients > limit.Hard || !(limit with { Soft = limit.Hard }).TrySet()))
        {
            // Where only what this process needs itself is missing it starts: the last clients wait then, as
            // memcached's do.
            throw new MemcachedException(
                "failed to set rlimit for open files. Try starting as root or requesting smaller maxconns value.",
                MemcachedProgram.Refused
            );
        }
    }
}
