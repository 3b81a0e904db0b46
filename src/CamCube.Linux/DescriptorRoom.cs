using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>
/// Whether there are file descriptors for more clients. Some must be left: each thread that .NET's runtime starts takes
/// two, and where it gets none it ends the process. Calls that never block and allocate nothing that stays.
/// </summary>
[SupportedOSPlatform("linux")]
public static class DescriptorRoom
{
    private const int CloseOnExec = 0x80000;

    // Threads of the pool and of the compiler, and files for a moment; of a low limit a smaller part.
    private const int MostKept = 64;
    private const int KeptPart = 8;

    /// <summary>Whether this one, which was just opened, is among the last. A new descriptor is the lowest number that
    /// is free, so all below it are taken.</summary>
    public static bool IsShortAt(long descriptor) =>
        DescriptorLimit.Read() is { } limit
        && (ulong)descriptor >= limit.Soft - Math.Min(MostKept, limit.Soft / KeptPart);

    /// <summary>Whether the next would be among the last.</summary>
    public static bool IsShort()
    {
        using DescriptorHandle probe = LinuxCalls.EventDescriptor(0, CloseOnExec);
        return probe.IsInvalid || IsShortAt((int)probe.DangerousGetHandle());
    }
}
