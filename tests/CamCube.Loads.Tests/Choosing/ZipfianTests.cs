using CamCube.Loads.Choosing;

namespace CamCube.Loads.Tests.Choosing;

public sealed class ZipfianTests
{
    [Theory]
    [InlineData(1_000, 0.99)]
    [InlineData(1_000, 0.5)]
    [InlineData(100_000, 0.99)]
    public void Ranks_are_as_frequent_as_the_law_says(int count, double theta)
    {
        const int Draws = 2_000_000;
        var zipfian = new Zipfian(count, theta);
        var random = new LoadRandom(1);
        int[] seen = new int[count];
        for (int i = 0; i < Draws; i++)
        {
            seen[zipfian.Next(random)]++;
        }

        // The first two ranks are exact; Gray's approximation is of the others, by decades.
        double zeta = Zipfian.Zeta(count, theta);
        Assert.InRange(seen[0] / (Draws / zeta), 0.98, 1.02);
        Assert.InRange(seen[1] / (Draws * Math.Pow(2, -theta) / zeta), 0.98, 1.02);
        for (int from = 10; from < count; from *= 10)
        {
            int until = Math.Min(from * 10, count);
            double expected = (Zipfian.Zeta(until, theta) - Zipfian.Zeta(from, theta)) / zeta * Draws;
            double there = seen.Skip(from).Take(until - from).Sum();
            Assert.InRange(there / expected, 0.95, 1.05);
        }
    }

    [Fact]
    public void The_sum_is_right_where_it_is_an_integral()
    {
        double direct = 0;
        for (int n = 3_000_000; n >= 1; n--)
        {
            direct += Math.Pow(n, -0.99);
        }

        Assert.Equal(direct, Zipfian.Zeta(3_000_000, 0.99), 1e-9);

        // What YCSB has as a constant for 10 thousand million.
        Assert.Equal(26.46902820178302, Zipfian.Zeta(10_000_000_000, 0.99), 1e-7);
    }

    [Fact]
    public void More_and_more_ranks_are_as_if_there_had_been_so_many_from_the_beginning()
    {
        var grown = new Zipfian(1, 0.99);
        for (int count = 2; count <= 5_000; count++)
        {
            grown.SetCount(count);
        }

        var made = new Zipfian(5_000, 0.99);
        LoadRandom one = new(3),
            other = new(3);
        for (int i = 0; i < 10_000; i++)
        {
            Assert.Equal(made.Next(other), grown.Next(one));
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Few_ranks_are_all_drawn_and_no_others(int count)
    {
        var zipfian = new Zipfian(count, 0.99);
        var random = new LoadRandom(1);
        var seen = new HashSet<long>();
        for (int i = 0; i < 10_000; i++)
        {
            seen.Add(zipfian.Next(random));
        }

        Assert.Equal(Enumerable.Range(0, count).Select(static i => (long)i), seen.Order());
    }
}
