using System.Runtime.InteropServices;

namespace CamCube.Testbed;

/// <summary>
/// CPU time of processes to the nanosecond. /proc has it in ticks of 10 ms, which is a large part of what a server
/// takes in seconds. Linux.
/// </summary>
public static partial class ProcessorTime
{
    /// <summary>CPU seconds that a process and all its threads have taken; 0 if there is no such process.</summary>
    public static double SecondsOf(int process)
    {
        // As clock_getcpuclockid(3) makes it: the clock of a whole process, by what the scheduler has counted.
        const int Scheduler = 2;
        return GetTime((~process << 3) | Scheduler, out TimeSpec time) == 0 ? time.Seconds + (time.Nanos / 1e9) : 0;
    }

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int GetTime(int clock, out TimeSpec time);

    [StructLayout(LayoutKind.Sequential)]
    private readonly struct TimeSpec
    {
        public readonly nint Seconds;
        public readonly nint Nanos;
    }
}
