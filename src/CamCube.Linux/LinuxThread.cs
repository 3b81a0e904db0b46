using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>What Linux is told about the calling thread.</summary>
[SupportedOSPlatform("linux")]
public static class LinuxThread
{
    private const int OfThread = 0;
    private const uint Self = 0;

    /// <summary>The calling thread is nicer to all others, for good: .NET does not hand a thread's priority to Linux.
    /// It never fails: where the system does not allow it, nothing changes.</summary>
    /// <param name="nice">From 0, the usual, to 19, which runs when nobody else wants to.</param>
    public static void BeNice(int nice) => _ = LinuxCalls.SetPriority(OfThread, Self, nice);
}
