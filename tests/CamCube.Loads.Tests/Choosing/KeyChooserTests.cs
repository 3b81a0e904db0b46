using CamCube.Loads.Choosing;

namespace CamCube.Loads.Tests.Choosing;

public sealed class KeyChooserTests
{
    private const int Draws = 1_000_000;

    [Fact]
    public void Of_scrambled_ones_few_are_frequent_and_anywhere()
    {
        int[] seen = Draw(KeyDistribution.Zipfian, 10_000);
        int hottest = Array.IndexOf(seen, seen.Max());

        // The first of ten thousand million has 1 / 26.5 of all, and others are folded onto it.
        Assert.InRange(seen.Max() / (double)Draws, 0.0375, 0.0385);
        Assert.NotInRange(hottest, 0, 9);
        int[] sorted = [.. seen.OrderDescending()];
        Assert.InRange(sorted.Take(100).Sum() / (double)Draws, 0.18, 0.26);
        Assert.True(seen.Count(static n => n > 0) > 9_900);
    }

    [Fact]
    public void The_last_that_came_are_asked_for_most()
    {
        int[] seen = Draw(KeyDistribution.Latest, 10_000);
        double zeta = Zipfian.Zeta(10_000, KeyChooser.Theta);
        Assert.InRange(seen[9_999] / (Draws / zeta), 0.97, 1.03);
        Assert.InRange(seen[9_998] / (double)seen[9_999], 0.48, 0.53);
        Assert.True(seen[9_990..].Sum() > 10 * seen[..5_000].Sum() / 5);
    }

    [Fact]
    public void All_alike_are_alike()
    {
        int[] seen = Draw(KeyDistribution.Uniform, 100);
        double chi = seen.Sum(static n => Math.Pow(n - (Draws / 100.0), 2) / (Draws / 100.0));
        Assert.InRange(chi, 60, 150);
    }

    [Fact]
    public void A_new_record_is_chosen_once_it_is_there_and_all_before_it()
    {
        var inserted = new InsertedKeys(10);
        (long first, long second) = (inserted.Begin(), inserted.Begin());
        Assert.Equal((10, 11, 10), (first, second, inserted.Count));
        inserted.End(second);
        Assert.Equal(10, inserted.Count);
        inserted.End(first);
        Assert.Equal((12, 12), (inserted.Count, inserted.Begun));
        var chooser = new KeyChooser(KeyDistribution.Latest, inserted, new LoadRandom(1));
        Assert.Contains(11L, Enumerable.Range(0, 100).Select(_ => chooser.Next()));
    }

    private static int[] Draw(KeyDistribution distribution, int count)
    {
        var chooser = new KeyChooser(distribution, new InsertedKeys(count), new LoadRandom(1));
        int[] seen = new int[count];
        for (int i = 0; i < Draws; i++)
        {
            seen[chooser.Next()]++;
        }

        return seen;
    }
}
