namespace CamCube.Topology.Tests;

public sealed class CubeViewCacheTests
{
    private static readonly TorusShape Shape = new(3, 3, 3);

    [Fact]
    public void Servers_that_learn_the_same_share_one_view()
    {
        var cache = new CubeViewCache();
        CubeEntry a = new(new(1, 0, 0), 1, 1, 0x3F),
            b = new(new(0, 1, 0), 1, 1, 0x40);
        CubeView first = cache.With(cache.With(cache.Whole(Shape), a), b);
        CubeView second = cache.With(cache.With(cache.Whole(Shape), b), a);
        CubeView third = cache.With(cache.Whole(Shape), [b, a, a]);
        Assert.Same(first, second);
        Assert.Same(first, third);
        Assert.Same(cache.Whole(Shape), cache.Whole(Shape));
        Assert.Same(first, cache.Commissioned(cache.With(cache.Empty(Shape), [a, b])));
        Assert.Equal(first.Digest, CubeView.Whole(Shape).With(b).With(a).Digest);
    }

    [Fact]
    public void The_view_not_used_for_longest_is_forgotten_and_the_number_is_bounded()
    {
        var cache = new CubeViewCache(4);
        CubeView whole = cache.Whole(Shape);
        CubeView first = cache.With(whole, Entry(1));
        for (uint i = 2; i < 50; i++)
        {
            cache.With(whole, Entry(i));
            Assert.Same(whole, cache.Whole(Shape));
        }

        Assert.Equal(4, cache.Count);
        Assert.NotSame(first, cache.With(whole, Entry(1)));
        Assert.Throws<ArgumentOutOfRangeException>(() => new CubeViewCache(0));
    }

    [Fact]
    public void A_known_view_is_found_without_making_it()
    {
        var cache = new CubeViewCache();
        CubeView whole = cache.Whole(Shape);
        cache.With(whole, Entry(1));
        long made = cache.Made;
        for (int i = 0; i < 27; i++)
        {
            cache.With(whole, Entry(1));
        }

        Assert.Equal(made, cache.Made);
    }

    private static CubeEntry Entry(uint sequence) => new(new(1, 1, 1), 1, sequence, 0x1F);
}
