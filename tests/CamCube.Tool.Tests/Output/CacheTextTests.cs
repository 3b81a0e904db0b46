using CamCube.Tool.Hosts;
using CamCube.Tool.Output;

namespace CamCube.Tool.Tests.Output;

public sealed class CacheTextTests
{
    [Fact]
    public void A_line_tells_items_memory_hits_evictions_hops_and_copies()
    {
        var cache = HostCache.Of(
            27,
            new Dictionary<string, long>
            {
                ["curr_items"] = 12_345,
                ["bytes"] = 3 << 19,
                ["limit_maxbytes"] = 27L << 26,
                ["get_hits"] = 750,
                ["get_misses"] = 250,
                ["evictions"] = 1_002,
                ["copies_held"] = 55,
                ["copy_hits"] = 99,
                ["lookup_hops_0"] = 100,
                ["lookup_hops_1"] = 300,
                ["lookup_hops_3"] = 600,
            }
        );

        Assert.Equal(new HostCache(27, 12_345, 3 << 19, 27L << 26, 750, 250, 1_002, 55, 99, 2.1), cache);
        Assert.Equal(
            "cache: 12,345 items, 1.5 MiB of 1.7 GiB, 1,000 reads (75.0 % hits), 1,002 evictions, "
                + "2.10 hops per read, 55 copies",
            CacheText.Of(cache)
        );
    }

    [Fact]
    public void Without_a_read_there_is_no_share_and_no_mean()
    {
        var cache = HostCache.Of(1, new Dictionary<string, long> { ["limit_maxbytes"] = 1_023 });

        Assert.Null(cache.MeanHops);
        Assert.Equal("cache: 0 items, 0 B of 1023 B, no reads, 0 evictions, 0 copies", CacheText.Of(cache));
    }

    [Fact]
    public void More_hops_than_are_told_apart_count_as_sixteen() =>
        Assert.Equal(
            12,
            HostCache.Of(1, new Dictionary<string, long> { ["lookup_hops_16_up"] = 2, ["lookup_hops_4"] = 1 }).MeanHops
        );
}
