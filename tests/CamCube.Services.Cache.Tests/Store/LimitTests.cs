using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store;

namespace CamCube.Services.Cache.Tests.Store;

/// <summary>A limit of memory that changes while the store runs.</summary>
public sealed class LimitTests
{
    private const int Step = 64;
    private static readonly string Value = new('x', 1_000);

    [Theory]
    [InlineData(2L << 20, 16L << 20)]
    [InlineData(64L << 20, 256L << 20)]
    public void More_memory_is_there_at_once(long before, long after)
    {
        var store = new StoreFixture(before);
        int first = Fill(store, 0);
        Assert.True(store.Store.TrySetLimit(after));
        Assert.Equal((after, false), (store.Store.LimitBytes, store.Store.IsShrinking));
        long evictions = store.Of(CacheCount.Evictions);
        for (int i = 0; i < first; i++)
        {
            store.Run(CacheOperation.Set, $"more{i}", Value);
        }

        Assert.Equal(evictions, store.Of(CacheCount.Evictions));
        Fill(store, first);
        Assert.InRange(store.Store.ResidentBytes, after * 0.95, after);
        store.Check();
    }

    [Fact]
    public void Less_memory_comes_back_step_by_step_and_what_was_used_last_stays()
    {
        var store = new StoreFixture(16 << 20);
        int last = Fill(store, 0);
        Assert.True(store.Store.TrySetLimit(4 << 20));
        int steps = 0;
        for (; store.Store.IsShrinking; steps++)
        {
            long evictions = store.Of(CacheCount.Evictions);
            Assert.True(store.Store.Shrink(Step, store.Now));
            Assert.InRange(store.Of(CacheCount.Evictions) - evictions, 0, Step);
        }

        Assert.InRange(steps, 50, 1_000);
        Assert.InRange(store.Store.ResidentBytes, 3 << 20, 4 << 20);
        Assert.Equal(Value, store.Get($"k{last - 1}"));
        Assert.Equal(Value, store.Get($"k{last - 2_000}"));
        Assert.Null(store.Get($"k{last - 12_000}"));
        Fill(store, last);
        Assert.InRange(store.Store.ResidentBytes, 3 << 20, 4 << 20);
        store.Check();

        // Pages that were given back are used again.
        Assert.True(store.Store.TrySetLimit(8 << 20));
        Fill(store, 100_000);
        Assert.InRange(store.Store.ResidentBytes, (8 << 20) * 0.95, 8 << 20);
        store.Check();
    }

    [Fact]
    public void Where_nothing_is_evicted_memory_comes_back_when_items_are_deleted()
    {
        var store = new StoreFixture(8 << 20, isEvicting: false);
        int stored = 0;
        while (store.Run(CacheOperation.Set, $"k{stored}", Value).Status == CacheStatus.Done)
        {
            stored++;
        }

        Assert.True(store.Store.TrySetLimit(2 << 20));
        while (store.Store.Shrink(Step, store.Now)) { }

        Assert.True(store.Store.IsShrinking);
        Assert.Equal(CacheStatus.OutOfMemory, store.Run(CacheOperation.Set, "one more", Value).Status);
        for (int i = 0; i < stored; i++)
        {
            Assert.Equal(CacheStatus.Done, store.Run(CacheOperation.Delete, $"k{i}").Status);
        }

        while (store.Store.IsShrinking)
        {
            Assert.True(store.Store.Shrink(Step, store.Now));
        }

        Assert.InRange(store.Store.ResidentBytes, 0, 2 << 20);
        Assert.Equal(CacheStatus.Done, store.Run(CacheOperation.Set, "one more", Value).Status);
        store.Check();
    }

    [Fact]
    public void More_than_references_can_tell_apart_is_refused()
    {
        var store = new StoreFixture(64 << 20);
        Assert.True(store.Store.TrySetLimit(32L << 30));
        Assert.False(store.Store.TrySetLimit((32L << 30) + 1));
        Assert.Equal(32L << 30, store.Store.LimitBytes);
    }

    [Fact]
    public void So_little_that_the_table_would_be_most_of_it_is_refused()
    {
        var store = new StoreFixture(64 << 20);
        for (int i = 0; i < 300_000; i++)
        {
            store.Run(CacheOperation.Set, $"k{i}", "v");
        }

        Assert.False(store.Store.TrySetLimit(2 << 20));
        Assert.True(store.Store.TrySetLimit(3 << 20));
        Assert.Equal(300_000, store.Store.Count);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Whatever_the_limit_does_a_value_is_the_last_one_or_gone(int seed)
    {
        var random = new Random(seed);
        var store = new StoreFixture(4 << 20);
        var last = new Dictionary<string, string>();
        int found = 0;
        for (int i = 0; i < 20_000; i++)
        {
            string key = $"k{random.Next(3_000)}";
            if (random.Next(3) == 0)
            {
                string value = new(
                    (char)('a' + random.Next(26)),
                    random.Next(20) == 0 ? random.Next(60_000) : random.Next(3_000)
                );
                last[key] = store.Run(CacheOperation.Set, key, value).Status == CacheStatus.Done ? value : "";
            }
            else if (store.Get(key) is { } value)
            {
                Assert.Equal(last[key], value);
                found++;
            }

            if (random.Next(500) == 0)
            {
                Assert.True(store.Store.TrySetLimit((long)random.Next(1, 16) << 20));
            }

            if (random.Next(10) == 0)
            {
                store.Store.Shrink(random.Next(40), store.Now);
            }

            if (i % 1_000 == 0)
            {
                store.Check();
            }
        }

        Assert.InRange(found, 1_000, 20_000);
    }

    // Stores until something has been evicted for a while; answers the number behind the last key.
    private static int Fill(StoreFixture store, int from)
    {
        long enough = store.Of(CacheCount.Evictions) + 100;
        for (; store.Of(CacheCount.Evictions) < enough; from++)
        {
            store.Run(CacheOperation.Set, $"k{from}", Value);
        }

        return from;
    }
}
