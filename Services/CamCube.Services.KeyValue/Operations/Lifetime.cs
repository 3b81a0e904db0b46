namespace CamCube.Services.KeyValue.Operations;

/// <summary>
/// How long a key is there, in four bytes: 0 = until it is deleted; with the highest bit so many milliseconds, up to 24
/// days; without it so many seconds, up to 68 years. Whole seconds are kept as such. Never shorter than what was said,
/// but for what is longer than the longest. Pure.
/// </summary>
internal static class Lifetime
{
    private const uint Millis = 1U << 31;
    private const uint Most = Millis - 1;
    private const long NanosPerMilli = 1_000_000;
    private const long NanosPerSecond = 1_000_000_000;

    /// <summary>The longest.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromSeconds(Most);

    /// <summary>The bytes.</summary>
    /// <param name="time">How long; what is less than a millisecond is taken for one. Null: until it is
    /// deleted.</param>
    public static uint Of(TimeSpan? time) =>
        time is { } some ? OfMillis(Math.Max(1, (long)Math.Ceiling(some.TotalMilliseconds))) : 0;

    /// <summary>The bytes of so many nanoseconds, of more than 0 at least.</summary>
    public static uint OfNanos(long nanos) => OfMillis(((Math.Max(1, nanos) - 1) / NanosPerMilli) + 1);

    /// <summary>Nanoseconds; 0: until it is deleted.</summary>
    public static long NanosOf(uint lifetime) =>
        lifetime >= Millis ? Math.Max(1, lifetime - Millis) * NanosPerMilli : lifetime * NanosPerSecond;

    /// <summary>How long; null: until it is deleted.</summary>
    public static TimeSpan? TimeOf(uint lifetime) =>
        lifetime == 0 ? null : TimeSpan.FromTicks(NanosOf(lifetime) / TimeSpan.NanosecondsPerTick);

    private static uint OfMillis(long millis)
    {
        const long PerSecond = 1_000;
        return millis <= Most && millis % PerSecond != 0
            ? Millis | (uint)millis
            : (uint)Math.Min(Most, ((millis - 1) / PerSecond) + 1);
    }
}
