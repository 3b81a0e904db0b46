using CamCube.Loads.Choosing;
using CamCube.Loads.Measuring;

namespace CamCube.Loads.Tests.Measuring;

public sealed class LatencyHistogramTests
{
    private static readonly double[] Parts = [0, 0.001, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1];

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    [InlineData(1_000)]
    [InlineData(100_000)]
    public void A_percentile_is_that_of_the_sorted_times(int count)
    {
        var random = new LoadRandom((ulong)count);
        var histogram = new LatencyHistogram();
        long[] times = new long[count];
        for (int i = 0; i < count; i++)
        {
            times[i] = (long)Math.Exp(random.Part() * 27);
            histogram.Add(times[i]);
        }

        Array.Sort(times);
        foreach (double part in Parts)
        {
            long exact = times[Math.Clamp((int)Math.Ceiling((part * count) - 1e-9), 1, count) - 1];
            Assert.InRange(histogram.At(part), exact, exact + Math.Max(exact / 127, 0));
        }

        Assert.Equal((count, times[^1], times[^1]), (histogram.Count, histogram.MaxNanos, histogram.At(1)));
        Assert.Equal(times.Average(), histogram.MeanNanos, times.Average() * 1e-9);
    }

    [Fact]
    public void Of_1000_times_the_999th_is_what_999_did_not_exceed()
    {
        var histogram = new LatencyHistogram();
        for (int i = 1; i <= 1_000; i++)
        {
            histogram.Add(i < 1_000 ? 100 : 1_000_000);
        }

        Assert.Equal((100, 1_000_000), (histogram.At(0.999), histogram.At(1)));
    }

    [Fact]
    public void Times_that_are_none_and_such_as_never_end_are_counted()
    {
        var histogram = new LatencyHistogram();
        Assert.Equal((0, 0, 0), (histogram.At(0.5), histogram.MaxNanos, histogram.MeanNanos));
        histogram.Add(-5);
        histogram.Add(0);
        histogram.Add(long.MaxValue);
        Assert.Equal((3, 0, long.MaxValue), (histogram.Count, histogram.At(0.5), histogram.MaxNanos));
    }

    [Fact]
    public void Two_together_are_as_one_with_all()
    {
        LatencyHistogram one = new(),
            other = new(),
            all = new();
        var random = new LoadRandom(1);
        for (int i = 0; i < 10_000; i++)
        {
            long time = random.Below(1_000_000_000);
            (i % 3 == 0 ? one : other).Add(time);
            all.Add(time);
        }

        one.Add(other);
        Assert.All(Parts, part => Assert.Equal(all.At(part), one.At(part)));
        Assert.Equal((all.Count, all.MaxNanos), (one.Count, one.MaxNanos));
    }
}
