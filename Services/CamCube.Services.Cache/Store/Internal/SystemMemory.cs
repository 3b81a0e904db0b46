using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Store.Internal;

/// <summary>What the operating system can be told of memory.</summary>
internal static partial class SystemMemory
{
    private const int DontNeed = 4;
    private const int LargePages = 14;
    private const int NoLargePages = 15;

    /// <summary>
    /// The system may take the memory behind these addresses; they stay valid and read as zeros. Linux; elsewhere, and where its pages are
    /// larger than ours, the memory stays. From then on these addresses have small pages: a large one would take the memory back.
    /// </summary>
    public static void GiveBack(nint start, nuint bytes)
    {
        if (OperatingSystem.IsLinux())
        {
            _ = Advise(start, bytes, NoLargePages);
            _ = Advise(start, bytes, DontNeed);
        }
    }

    /// <summary>
    /// The system may put pages of 2 MiB behind these addresses: items lie anywhere, and with small pages finding out where costs as much as
    /// waiting for the item itself (a tenth of a request, benchmarks -- memcached). The first use of each then takes 2 MiB at once. Linux, where
    /// the system's setting allows it; elsewhere nothing happens.
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
