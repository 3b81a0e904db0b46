namespace CamCube.Tool.Hosts;

/// <summary>Requests of one kind that were done: how many, how fast, and how long each took.</summary>
/// <param name="Count">Requests.</param>
/// <param name="PerSecond">Requests each second.</param>
/// <param name="BytesPerSecond">Bytes of pictures each second.</param>
/// <param name="P50Ms">Milliseconds that half of them took at most; 0 if there was none.</param>
/// <param name="P90Ms">As above, nine of ten.</param>
/// <param name="P99Ms">99 of 100.</param>
/// <param name="P999Ms">999 of 1,000.</param>
/// <param name="MaxMs">The longest.</param>
internal sealed record LoadTimes(
    int Count,
    double PerSecond,
    double BytesPerSecond,
    double P50Ms,
    double P90Ms,
    double P99Ms,
    double P999Ms,
    double MaxMs
)
{
    /// <summary>Sums up.</summary>
    /// <param name="done">Of each request how long it took, and bytes of its picture.</param>
    /// <param name="seconds">In which they were done.</param>
    public static LoadTimes Of(IEnumerable<(TimeSpan Took, int Bytes)> done, double seconds)
    {
        (TimeSpan Took, int Bytes)[] sorted = [.. done.OrderBy(static one => one.Took)];
        return new LoadTimes(
            sorted.Length,
            sorted.Length / seconds,
            sorted.Sum(static one => (long)one.Bytes) / seconds,
            At(0.5),
            At(0.9),
            At(0.99),
            At(0.999),
            At(1)
        );

        // The nearest rank: one that was measured.
        double At(double part) =>
            sorted.Length == 0
                ? 0
                : sorted[Math.Max((int)Math.Ceiling(part * sorted.Length), 1) - 1].Took.TotalMilliseconds;
    }
}
