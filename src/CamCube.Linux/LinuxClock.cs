using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>The clock that goes on while the machine is suspended.</summary>
[SupportedOSPlatform("linux")]
public static class LinuxClock
{
    private const int BootTime = 7;

    /// <summary>Nanoseconds since the machine was started, those included in which it was suspended. Any
    /// thread.</summary>
    public static long BootNanos
    {
        get
        {
            // Cannot fail: the clock is there since Linux 2.6.39.
            _ = LinuxCalls.GetClock(BootTime, out ClockTime time);
            return (time.Seconds * 1_000_000_000) + time.Nanos;
        }
    }
}
