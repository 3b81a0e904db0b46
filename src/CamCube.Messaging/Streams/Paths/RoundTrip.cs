namespace CamCube.Messaging.Streams.Paths;

/// <summary>Estimates the round trip of a path from samples (RFC 6298's weights). Nanoseconds.</summary>
internal struct RoundTrip
{
    // Nothing is faster.
    private const long Least = 1_000;

    public long Smoothed { get; private set; }

    public long Variation { get; private set; }

    public long Latest { get; private set; }

    public readonly bool HasSample => Smoothed > 0;

    public void Add(long sample)
    {
        Latest = Math.Max(sample, Least);
        if (Smoothed == 0)
        {
            (Smoothed, Variation) = (Latest, Latest / 2);
            return;
        }

        Variation = ((3 * Variation) + Math.Abs(Smoothed - Latest)) / 4;
        Smoothed = ((7 * Smoothed) + Latest) / 8;
    }
}
