using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Store.Internal;

/// <summary>What the operating system can be told of memory.</summary>
internal static partial class SystemMemory
{
    private const int DontNeed = 4;
    private const int LargePages = 14;
    private const int NoLargePages = 15;

    /// <summary>
    /// The system may take the memory behind these addresses; they stay valid and read as zeros. Linux; elsewhere the
    /// memory stays. From then on these addresses have small pages: a large one would take the memory back. The system
    /// takes whole pages of its own and rounds a length up, so that it would take what lies behind too: what is not
    /// made of such pages stays.
    /// </summary>
    /// <param name="start">Where it begins.</param>
    /// <param name="bytes">How much it is.</param>
    /// <param name="systemPageBytes">Bytes of a page of the system: <see cref="Environment.SystemPageSize"/>.</param>
    /// <returns>Whether the system was told.</returns>
    public static bool GiveBack(nint start, nuint bytes, int systemPageBytes)
    {
        if (
            !OperatingSystem.IsLinux()
            || (nuint)start % (nuint)systemPageBytes != 0
            || bytes % (nuint)systemPageBytes != 0
        )
        {
            return false;
        }

        _ = Advise(start, bytes, NoLargePages);
        return Advise(start, bytes, DontNeed) == 0;
    }

    /// <summary>
    /// The system may put pages of 2 MiB behind these addresses: items lie anywhere, and with small pages finding out
    /// where costs as much as waiting for the item itself (a tenth of a request, benchmarks -- memcached). The first
    /// use of each then takes 2 MiB at once. Linux, where the system's setting allows it; elsewhere nothing happens.
    /// </summary>
    public static void AskForLargePages(nint start, nuint bytes)
    {
        if (OperatingSystem.IsLinux())
        {
            _ = Advise(start, bytes, LargePages);
        }
    }

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int Advise(nint start, nuint bytes, int advice);
}
