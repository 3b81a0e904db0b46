using System.Diagnostics;

namespace CamCube.Loads.Operations;

/// <summary>The clock of a load.</summary>
internal static class LoadClock
{
    private static readonly long Began = Stopwatch.GetTimestamp();
    private static readonly double NanosPerTick = 1e9 / Stopwatch.Frequency;

    /// <summary>Nanoseconds since some moment.</summary>
    public static long Nanos => (long)((Stopwatch.GetTimestamp() - Began) * NanosPerTick);
}
