using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store;

namespace CamCube.Services.Cache.Tests.Store;

public sealed class ItemStoreTests
{
    [Fact]
    public void Bytes_are_counted_exactly()
    {
        var store = new StoreFixture();
        store.Run(CacheOperation.Set, "abc", new string('x', 100));
        Assert.Equal(ItemChunks.BytesOf(3, 100), store.Store.Ledger.Bytes);
        store.Run(CacheOperation.Set, "abc", new string('x', 99));
        Assert.Equal(ItemChunks.BytesOf(3, 99), store.Store.Ledger.Bytes);
        store.Run(CacheOperation.Set, "abc", new string('x', 5_000));
        Assert.Equal(ItemChunks.BytesOf(3, 5_000), store.Store.Ledger.Bytes);
        store.Run(CacheOperation.Append, "abc", "yy");
        Assert.Equal(ItemChunks.BytesOf(3, 5_002), store.Store.Ledger.Bytes);
        Assert.Equal(store.Store.Ledger.Bytes, store.Of(CacheCount.Bytes));
        Assert.Equal(1, store.Of(CacheCount.CurrItems));
        store.Run(CacheOperation.Delete, "abc");
        Assert.Equal((0L, 0L), (store.Store.Ledger.Bytes, store.Of(CacheCount.Bytes)));
        store.Check();
    }

    [Fact]
    public void The_least_recently_used_goes_first()
    {
        var store = new StoreFixture();
        store.Run(CacheOperation.Set, "kept", new string('x', 100));
        int last = 0;
        for (; store.Of(CacheCount.Evictions) < 1_000; last++)
        {
            store.Run(CacheOperation.Set, $"k{last}", new string('x', 100));
            Assert.NotNull(store.Get("kept"));
        }

        int first = Enumerable.Range(0, last).First(i => store.Get($"k{i}") is not null);
        Assert.Equal(store.Of(CacheCount.Evictions), first);
        Assert.All(Enumerable.Range(first, last - first), i => Assert.NotNull(store.Get($"k{i}")));
        Assert.Equal(first, store.Of(CacheCount.EvictedUnfetched));
        store.Check();
    }

    [Fact]
    public void What_is_larger_than_all_memory_is_refused_and_what_was_there_is_gone()
    {
        var store = new StoreFixture();
        store.Run(CacheOperation.Set, "a", "old");
        Assert.Equal(
            CacheStatus.OutOfMemory,
            store.Run(CacheOperation.Set, "a", new string('x', StoreFixture.MaxValue)).Status
        );
        Assert.Null(store.Get("a"));
        Assert.Equal((0, 1), (store.Store.Ledger.Bytes, store.Of(CacheCount.StoreNoMemory)));
        Assert.Equal(
            CacheStatus.Done,
            store.Run(CacheOperation.Set, "a", new string('x', StoreFixture.MaxValue / 2)).Status
        );
        store.Check();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Items_of_an_ended_group_are_not_found_and_their_memory_comes_back_step_by_step(bool isFlush)
    {
        var store = new StoreFixture();
        for (int i = 0; i < 100; i++)
        {
            store.Run(CacheOperation.Set, $"k{i}", "old");
        }

        store.Store.End(store.Group, isFlush);
        store.Group = new ItemGroup();
        Assert.Null(store.Get("k5"));
        Assert.Null(store.Get("k5"));
        Assert.Equal((1, 99), (store.Of(CacheCount.GetFlushed), store.Store.Count));
        Assert.Equal(CacheStatus.Done, store.Run(CacheOperation.Add, "k5", "new").Status);
        Assert.Equal(CacheStatus.Done, store.Run(CacheOperation.Set, "k6", "new").Status);
        Assert.Equal((2, 100), (store.Of(CacheCount.GetFlushed), store.Store.Count));
        int steps = 0,
            removed = 0;
        for (; store.Store.HasEnded; steps++)
        {
            int now = store.Store.Reap(30, store.Now);
            Assert.InRange(now, 0, 30);
            removed += now;
        }

        Assert.Equal(98, removed);
        Assert.Equal(
            isFlush ? (100, 0) : (0, 100),
            (store.Of(CacheCount.Reclaimed), store.Of(CacheCount.ItemsDropped))
        );
        Assert.InRange(steps, 4, 20);
        Assert.Equal("new", store.Get("k5"));
        Assert.Equal((2, 2 * ItemChunks.BytesOf(2, 3)), (store.Store.Count, store.Store.Ledger.Bytes));
        store.Check();
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
            int now = store.Store.Sweep(11, store.Now);
            Assert.InRange(now, 0, 11);
            removed += now;
        }

        Assert.Equal(50, removed);
        Assert.Equal(50, store.Store.Count);
        Assert.False(store.Store.HasExpiring);
        Assert.Equal(50, store.Of(CacheCount.ExpiredUnfetched));
        store.Check();
    }

    [Theory]
    [InlineData(1, 1 << 20)]
    [InlineData(2, 1 << 20)]
    [InlineData(3, 4 << 20)]
    public void Under_want_of_memory_no_value_is_ever_wrong(int seed, int limit)
    {
        var random = new Random(seed);
        var store = new StoreFixture(limit);
        var model = new Dictionary<string, string>();
        int most = 200,
            hits = 0;
        for (int i = 0; i < 60_000; i++)
        {
            // The mix changes all the time: memory has to move between sizes.
            most = i % 500 == 0 ? 1 << random.Next(2, 17) : most;
            string key = $"key-{random.Next(3_000)}";
            switch (random.Next(12))
            {
                case 0:
                    store.Run(CacheOperation.Delete, key);
                    model.Remove(key);
                    break;
                case <= 4:
                    string value = new((char)('a' + random.Next(26)), random.Next(most));
                    Assert.Equal(CacheStatus.Done, store.Run(CacheOperation.Set, key, value).Status);
                    model[key] = value;
                    break;
                case 5:
                    string more = new((char)('A' + random.Next(26)), random.Next(most));
                    bool append = random.Next(2) == 0;
                    if (
                        store.Run(append ? CacheOperation.Append : CacheOperation.Prepend, key, more).Status
                        == CacheStatus.Done
                    )
                    {
                        model[key] = append ? model[key] + more : more + model[key];
                    }

                    break;
                case 6 when random.Next(300) == 0:
                    store.Store.End(store.Group);
                    store.Group = new ItemGroup();
                    model.Clear();
                    break;
                case 7:
                    store.Store.Reap(20, store.Now);
                    break;
                default:
                    if (store.Get(key) is { } got)
                    {
                        Assert.Equal(model[key], got);
                        hits++;
                    }

                    break;
            }

            if (i % 2_000 == 0)
            {
                store.Check();
            }
        }

        store.Check();
        Assert.True(hits > 2_000, $"{hits} hits");
        Assert.True(store.Of(CacheCount.Evictions) > 1_000);
        Assert.Equal(0, store.Of(CacheCount.StoreNoMemory));
    }

    [Fact]
    public void A_value_comes_in_pieces_that_are_the_value()
    {
        var store = new StoreFixture(8 << 20);
        foreach (
            int length in new[] { 0, 1, 500, 900, 1_025, 3_000, 4_096, 5_000, 30_000, 500_000, StoreFixture.MaxValue }
        )
        {
            byte[] value = new byte[length];
            new Random(length).NextBytes(value);
            var command = new Command
            {
                Terms = new CacheTerms { Operation = CacheOperation.Set },
                Hash = store.Store.HashOf("a"u8),
                Group = store.Group,
                ClientKey = "a"u8,
                Value = value,
            };
            Assert.Equal(CacheStatus.Done, store.Runner.Run(command, store.Now, out _).Status);
            var get = new Command
            {
                Hash = command.Hash,
                Group = store.Group,
                ClientKey = "a"u8,
            };
            CacheReply reply = store.Runner.Run(get, store.Now, out ItemValue read);
            var reader = new Collector();
            read.GiveTo(reader, reply);
            Assert.Equal(value, reader.Bytes);
            Assert.InRange(reply.Facts.MemoryBytes, length, (length * 1.1) + 128);
        }

        store.Check();
    }

    [Fact]
    public void A_disposed_store_finds_nothing_and_stores_nothing()
    {
        var store = new StoreFixture();
        store.Run(CacheOperation.Set, "a", "1", expiry: 5);
        store.Store.End(store.Group);
        store.Store.Dispose();
        store.Group = new ItemGroup();
        Assert.Null(store.Get("a"));
        Assert.Equal(CacheStatus.OutOfMemory, store.Run(CacheOperation.Set, "a", "2").Status);
        Assert.Equal(
            (0, false, false),
            (store.Store.Reap(100, store.Now), store.Store.HasEnded, store.Store.HasExpiring)
        );
    }

    [Fact]
    public void What_is_told_of_a_store_that_gave_its_memory_back_does_not_look_into_it()
    {
        var store = new StoreFixture();
        store.Run(CacheOperation.Set, "a", "1");
        store.Run(CacheOperation.Set, "b", "2");
        int number = store.Store.ClassOf(store.Store.Oldest);
        Assert.Equal(2, StoreReport.List(store.Store, store.Now, number, 10).Count);
        store.Store.Dispose();
        Assert.Equal((0U, 0U), (store.Store.Oldest, store.Store.Newest));
        Assert.Equal(0L, (long)StoreReport.Of(store.Store, store.Now + 5).OldestSeconds);
        Assert.Empty(StoreReport.List(store.Store, store.Now, number, 10));
    }

    private sealed class Collector : ICacheValueReader
    {
        public List<byte> Bytes { get; } = [];

        public void TakeValue(in CacheReply reply, ReadOnlySpan<byte> piece, int offset)
        {
            Assert.Equal(Bytes.Count, offset);
            Bytes.AddRange(piece);
        }
    }
}
