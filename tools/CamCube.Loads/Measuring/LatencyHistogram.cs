using System.Numerics;

namespace CamCube.Loads.Measuring;

/// <summary>How long things took: buckets of at most 1/128 of their value, so any part of all can be told to 0.8 %; the
/// longest is exact. Adding allocates nothing. One thread adds; to read it others wait for its end.</summary>
public sealed class LatencyHistogram
{
    private const int Bits = 7;
    private const int Parts = 1 << Bits;

    // Up to 2^42 ns, 73 minutes; what is longer counts as that.
    private const int Powers = 42 - Bits;
    private readonly long[] _counts = new long[(Powers + 1) * Parts];
    private double _sum;

    /// <summary>How many.</summary>
    public long Count { get; private set; }

    /// <summary>The longest; 0: there is none.</summary>
    public long MaxNanos { get; private set; }

    /// <summary>The mean; 0: there is none.</summary>
    public double MeanNanos => Count == 0 ? 0 : _sum / Count;

    /// <summary>Adds one.</summary>
    public void Add(long nanos)
    {
        nanos = Math.Max(nanos, 0);
        _counts[BucketOf(nanos)]++;
        Count++;
        _sum += nanos;
        MaxNanos = Math.Max(MaxNanos, nanos);
    }

    /// <summary>Adds all of another.</summary>
    public void Add(LatencyHistogram other)
    {
        for (int i = 0; i < _counts.Length; i++)
        {
            _counts[i] += other._counts[i];
        }

        Count += other.Count;
        _sum += other._sum;
        MaxNanos = Math.Max(MaxNanos, other.MaxNanos);
    }

    /// <summary>What a part of all did not exceed (nearest rank), as the upper end of its bucket.</summary>
    /// <param name="part">From 0 to 1.</param>
    public long At(double part)
    {
        // A part such as 0.999 is a little more than that in binary, and of 1,000 the 999th is wanted.
        long rank = Math.Clamp((long)Math.Ceiling((part * Count) - 1e-9), 1, Math.Max(Count, 1)),
            seen = 0;
        for (int i = 0; i < _counts.Length; i++)
        {
            seen += _counts[i];
            if (seen >= rank)
            {
                return Math.Min(MostIn(i), MaxNanos);
            }
        }

        return MaxNanos;
    }

    private static int BucketOf(long nanos)
    {
        int power = Math.Max(63 - BitOperations.LeadingZeroCount((ulong)nanos | 1) - Bits, 0);
        return power >= Powers ? (Powers * Parts) + Parts - 1 : (power * Parts) + (int)(nanos >> power);
    }

    private static long MostIn(int bucket)
    {
        int power = Math.Max((bucket / Parts) - 1, 0);
        return ((bucket - (power * (long)Parts) + 1) << power) - 1;
    }
}
