using CamCube.Services.Cache.Store;

namespace CamCube.Services.Cache.Tests.Store;

public sealed class ItemStoreTests
{
    [Fact]
    public void Bytes_are_counted_exactly()
    {
        var store = new StoreFixture();
        store.Run(CacheOperation.Set, "abc", new string('x', 100));
        Assert.Equal(Item.Overhead + 3 + 100, store.Store.Bytes);
        store.Run(CacheOperation.Set, "abc", new string('x', 50));
        Assert.Equal(Item.Overhead + 3 + 50, store.Store.Bytes);
        store.Run(CacheOperation.Append, "abc", "yy");
        Assert.Equal(Item.Overhead + 3 + 52, store.Store.Bytes);
        Assert.Equal(store.Store.Bytes, store.Of(CacheCount.Bytes));
        Assert.Equal(1, store.Of(CacheCount.CurrItems));
        store.Run(CacheOperation.Delete, "abc");
        Assert.Equal((0L, 0L), (store.Store.Bytes, store.Of(CacheCount.Bytes)));
    }

    [Fact]
    public void The_least_recently_used_goes_first()
    {
        long each = Item.CostOf(2, 100);
        var store = new StoreFixture(each * 3);
        foreach (string key in new[] { "k1", "k2", "k3" })
        {
            store.Run(CacheOperation.Set, key, new string('x', 100));
        }

        store.Get("k1");
        store.Run(CacheOperation.Set, "k4", new string('x', 100));
        Assert.Null(store.Get("k2"));
        Assert.NotNull(store.Get("k1"));
        Assert.NotNull(store.Get("k3"));
        Assert.Equal((1, 1), (store.Of(CacheCount.Evictions), store.Of(CacheCount.EvictedUnfetched)));
    }

    [Fact]
    public void What_is_larger_than_all_memory_is_refused_and_what_was_there_is_gone()
    {
        var store = new StoreFixture(2_000);
        store.Run(CacheOperation.Set, "a", "old");
        Assert.Equal(CacheStatus.OutOfMemory, store.Run(CacheOperation.Set, "a", new string('x', 3_000)).Status);
        Assert.Null(store.Get("a"));
        Assert.Equal(0, store.Store.Bytes);
    }

    [Fact]
    public void Items_of_an_ended_group_are_not_found_and_their_memory_comes_back_step_by_step()
    {
        var store = new StoreFixture();
        for (int i = 0; i < 100; i++)
        {
            store.Run(CacheOperation.Set, $"k{i}", "old");
        }

        store.Store.End(store.Group);
        store.Group = new ItemGroup();
        Assert.Null(store.Get("k5"));
        Assert.Equal(CacheStatus.Done, store.Run(CacheOperation.Add, "k5", "new").Status);
        Assert.Equal(100, store.Store.Count);
        Assert.Equal(30, store.Store.Reap(30));
        Assert.Equal(69, store.Store.Reap(1_000));
        Assert.False(store.Store.HasEnded);
        Assert.Equal("new", store.Get("k5"));
        Assert.Equal(Item.CostOf(2, 3), store.Store.Bytes);
    }

    [Fact]
    public void A_sweep_finds_the_expired_ones_in_bounded_steps()
    {
        var store = new StoreFixture();
        for (int i = 0; i < 100; i++)
        {
            store.Run(CacheOperation.Set, $"k{i}", "v", expiry: i % 2 == 0 ? 10 : 0);
        }

        Assert.True(store.Store.HasExpiring);
        store.Now += 10;
        int removed = 0;
        for (int i = 0; i < 10; i++)
        {
            removed += store.Store.Sweep(11, store.Now);
        }

        Assert.Equal(50, removed);
        Assert.Equal(50, store.Store.Count);
        Assert.False(store.Store.HasExpiring);
        Assert.Equal(50, store.Of(CacheCount.ExpiredUnfetched));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void A_long_random_run_agrees_with_a_naive_model(int seed)
    {
        var random = new Random(seed);
        long limit = 20 * Item.CostOf(3, 50);
        var store = new StoreFixture(limit);
        var model = new NaiveStore(limit);
        for (int i = 0; i < 30_000; i++)
        {
            string key = $"k{random.Next(10, 60)}", value = new((char)('a' + random.Next(26)), random.Next(100));
            store.Now = model.Now = store.Now + (uint)random.Next(2);
            long expiry = random.Next(4) == 0 ? random.Next(1, 20) : 0;
            switch (random.Next(8))
            {
                case 0:
                    Assert.Equal(model.Delete(key), store.Run(CacheOperation.Delete, key).Status == CacheStatus.Done);
                    break;
                case 1 or 2:
                    store.Run(CacheOperation.Set, key, value, expiry: expiry);
                    model.Set(key, value, expiry);
                    break;
                case 3:
                    Assert.Equal(model.Touch(key, expiry),
                        store.Run(CacheOperation.Touch, key, expiry: expiry).Status == CacheStatus.Done);
                    break;
                case 4 when random.Next(200) == 0:
                    store.Store.End(store.Group);
                    store.Group = new ItemGroup();
                    store.Store.Reap(int.MaxValue);
                    model.Clear();
                    break;
                default:
                    Assert.Equal(model.Get(key), store.Get(key));
                    break;
            }

            Assert.Equal((model.Count, model.Bytes), (store.Store.Count, store.Store.Bytes));
        }

        Assert.True(store.Of(CacheCount.Evictions) > 100);
    }

    [Fact]
    public void Another_key_with_the_same_memId_is_never_given()
    {
        var store = new StoreFixture();
        Key memId = Key.OfName("one");
        ItemStore items = store.Store;
        items.Put(null, memId, StoreFixture.Bytes("first"), [1], store.Group);
        Assert.NotNull(items.Find(memId, StoreFixture.Bytes("first"), store.Now, out _));
        Assert.Null(items.Find(memId, StoreFixture.Bytes("second"), store.Now, out _));
        items.Put(null, memId, StoreFixture.Bytes("second"), [2], store.Group);
        Assert.Null(items.Find(memId, StoreFixture.Bytes("first"), store.Now, out _));
        Assert.Equal((1, Item.CostOf(6, 1)), (items.Count, items.Bytes));
    }
}
