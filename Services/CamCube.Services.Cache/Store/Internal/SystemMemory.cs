using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Store.Internal;

/// <summary>What the operating system can be told of memory.</summary>
internal static partial class SystemMemory
{
    private const int DontNeed = 4;

    /// <summary>
    /// The system may take the memory behind these addresses; they stay valid and read as zeros. Linux; elsewhere, and where its pages are
    /// larger than ours, the memory stays.
    /// </summary>
    public static void GiveBack(nint start, nuint bytes)
    {
        if (OperatingSystem.IsLinux())
        {
            _ = Advise(start, bytes, DontNeed);
        }
    }

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int Advise(nint start, nuint bytes, int advice);
}
