using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Tests.Store;

/// <summary>Items by size, for memcached's <c>stats sizes</c>.</summary>
public sealed class SizeTallyTests
{
    [Fact]
    public void Items_count_in_steps_of_32_bytes_from_when_it_began()
    {
        var store = new StoreFixture();
        store.Run(CacheOperation.Set, "before", "x");
        Assert.Null(StoreReport.Of(store.Store, store.Now).Sizes);
        store.Store.Ledger.TracksSizes = true;
        Assert.Empty(StoreReport.Of(store.Store, store.Now).Sizes!);

        // A header of 48 bytes: 64 in all, and one more.
        store.Run(CacheOperation.Set, "a", new string('x', 15));
        store.Run(CacheOperation.Set, "b", new string('x', 16));
        store.Run(CacheOperation.Set, "c", new string('x', 16));
        Assert.Equal([new(64, 1), new(96, 2)], StoreReport.Of(store.Store, store.Now).Sizes!);
        store.Run(CacheOperation.Append, "a", "y");
        store.Run(CacheOperation.Delete, "b");
        store.Run(CacheOperation.Delete, "before");
        Assert.Equal([new(96, 2)], StoreReport.Of(store.Store, store.Now).Sizes!);
    }

    [Fact]
    public void An_end_and_a_new_beginning_lose_nothing()
    {
        var store = new StoreFixture();
        store.Store.Ledger.TracksSizes = true;
        store.Run(CacheOperation.Set, "a", "1");
        store.Store.Ledger.TracksSizes = false;
        Assert.Null(StoreReport.Of(store.Store, store.Now).Sizes);
        store.Run(CacheOperation.Set, "b", "1");
        store.Run(CacheOperation.Delete, "a");
        store.Store.Ledger.TracksSizes = true;
        Assert.Equal([new(64, 1)], StoreReport.Of(store.Store, store.Now).Sizes!);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void The_counts_are_those_of_the_items_that_are_there(int seed)
    {
        var random = new Random(seed);
        var store = new StoreFixture(1 << 20);
        store.Store.Ledger.TracksSizes = true;
        CacheOperation[] operations =
        [
            CacheOperation.Set,
            CacheOperation.Set,
            CacheOperation.Set,
            CacheOperation.Append,
            CacheOperation.Prepend,
            CacheOperation.Delete,
            CacheOperation.Increment,
            CacheOperation.Touch,
            CacheOperation.Add,
            CacheOperation.Get,
        ];
        for (int i = 0; i < 30_000; i++)
        {
            string value =
                random.Next(4) == 0 ? "41" : new string('x', random.Next(random.Next(10) == 0 ? 20_000 : 500));
            store.Run(
                operations[random.Next(operations.Length)],
                $"k{random.Next(4_000)}",
                value,
                expiry: random.Next(3) * 20,
                delta: 1
            );
            store.Now += random.Next(50) == 0 ? 1U : 0;
            if (random.Next(5_000) == 0)
            {
                store.Store.End(store.Group, isFlush: true);
                store.Group = new ItemGroup();
            }

            store.Store.Reap(10, store.Now);
        }

        var sizes = new SortedDictionary<int, long>();
        for (uint item = store.Store.Newest; item != 0; item = store.Store[item].Older)
        {
            ref ItemHeader header = ref store.Store[item];
            int step = (int)((ItemChunks.BytesOf(header.KeyLength, header.Length) + 31) / 32 * 32);
            sizes[step] = sizes.GetValueOrDefault(step) + 1;
        }

        Assert.True(store.Of(CacheCount.Evictions) > 0);
        Assert.Equal(
            sizes.Select(size => new CacheSizeCount(size.Key, size.Value)),
            StoreReport.Of(store.Store, store.Now).Sizes!
        );
    }
}
