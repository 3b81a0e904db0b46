using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Tests.Store;

/// <summary>What the store does with its memory.</summary>
public sealed class MemoryTests
{
    [Fact]
    public void An_item_costs_at_most_64_bytes_beside_key_and_value()
    {
        var store = new StoreFixture(64 << 20);
        const int Items = 300_000,
            Length = 100;
        string value = new('x', Length);
        long keys = 0;
        for (int i = 0; i < Items; i++)
        {
            string key = $"key-{i:D8}";
            keys += key.Length;
            store.Run(CacheOperation.Set, key, value);
        }

        Assert.Equal((Items, 0), (store.Store.Count, store.Of(CacheCount.Evictions)));
        double overhead = (store.Store.ResidentBytes - keys - ((double)Items * Length)) / Items;
        Assert.InRange(overhead, 44, 64);
    }

    [Theory]
    [InlineData(1L << 20)]
    [InlineData(64L << 20)]
    [InlineData(1L << 30)]
    [InlineData(1L << 40)]
    public void The_smallest_class_is_one_for_small_items_and_there_are_no_more_than_numbers(long limit)
    {
        using var memory = new PageMemory(limit);
        var sizes = new SizeClasses(memory);
        Assert.InRange(sizes.Count, 2, CacheStoreNumbers.MostClasses);
        Assert.Equal(limit <= 32L << 30 ? 64 : Math.Max(64, memory.UnitBytes), sizes.BytesOf(1));
    }

    [Theory]
    [InlineData(100)]
    [InlineData(8_192)]
    [InlineData(100_000)]
    public void Where_nothing_is_evicted_a_full_store_refuses_until_something_dies(int length)
    {
        var store = new StoreFixture(2 << 20, isEvicting: false);
        string value = new('x', length);
        int stored = 0;
        while (store.Run(CacheOperation.Set, $"k{stored}", value, expiry: 100).Status == CacheStatus.Done)
        {
            stored++;
        }

        Assert.InRange(store.Store.Ledger.Bytes, store.Store.LimitBytes * 0.75, store.Store.LimitBytes);
        Assert.Equal(CacheStatus.OutOfMemory, store.Run(CacheOperation.Set, $"k{stored}", value).Status);
        Assert.Equal((2, 0), (store.Of(CacheCount.StoreNoMemory), store.Of(CacheCount.Evictions)));
        for (int i = 0; i < stored; i++)
        {
            Assert.Equal(value, store.Get($"k{i}"));
        }

        store.Run(CacheOperation.Delete, "k0");
        Assert.Equal(CacheStatus.Done, store.Run(CacheOperation.Set, "k0", value, expiry: 100).Status);
        store.Now += 101;
        Assert.Equal(CacheStatus.Done, store.Run(CacheOperation.Set, "later", value).Status);
        Assert.Equal((value, 0), (store.Get("later"), store.Of(CacheCount.Evictions)));
        store.Check();
    }

    [Theory]
    [InlineData(1 << 20, 100)]
    [InlineData(1 << 20, 5_000)]
    [InlineData(16 << 20, 100)]
    [InlineData(16 << 20, 3_000)]
    [InlineData(16 << 20, 100_000)]
    public void A_full_store_stays_within_its_limit_and_is_full(int limit, int length)
    {
        var store = new StoreFixture(limit);
        var random = new Random(length);
        for (int i = 0; store.Of(CacheCount.Evictions) < 500 || i < 2_000; i++)
        {
            store.Run(CacheOperation.Set, $"k{i}", new string('x', length + random.Next(length / 10)));
        }

        Assert.InRange(store.Store.ResidentBytes, limit * 0.95, limit);
        Assert.InRange(store.Store.Ledger.Bytes, limit * 0.82, limit);
        store.Check();
    }

    [Fact]
    public void When_the_mix_of_sizes_changes_the_hits_are_those_of_one_order_of_use()
    {
        const int Limit = 16 << 20;
        var store = new StoreFixture(Limit);
        var random = new Random(8);

        // The model keeps as many bytes as the store's pages hold of this mix, and takes the least recently used out.
        var order = new LinkedList<(int Key, long Bytes)>();
        var nodes = new Dictionary<int, LinkedListNode<(int Key, long Bytes)>>();
        long held = 0;
        foreach (int size in new[] { 100, 4_000, 300, 20_000, 60, 1_000 })
        {
            (int hits, int expected, int asked) = (0, 0, 0);
            int keys = 2 * Limit / (size + 60);
            for (int i = 0; i < 3 * keys; i++)
            {
                // Few keys are asked for often, and many seldom.
                int key = (size * 1_000_000) + (int)(keys * Math.Pow(random.NextDouble(), 3));
                string name = $"{key}";
                bool counts = i > 2 * keys;
                asked += counts ? 1 : 0;
                if (store.Get(name) is not null)
                {
                    hits += counts ? 1 : 0;
                }
                else
                {
                    store.Run(CacheOperation.Set, name, new string('x', size));
                }

                if (nodes.TryGetValue(key, out LinkedListNode<(int, long)>? node))
                {
                    expected += counts ? 1 : 0;
                    order.Remove(node);
                    order.AddFirst(node);
                }
                else
                {
                    long bytes = ItemChunks.BytesOf(name.Length, size);
                    nodes[key] = order.AddFirst((key, bytes));
                    held += bytes;
                }

                for (; held > Limit; order.RemoveLast())
                {
                    held -= order.Last!.Value.Bytes;
                    nodes.Remove(order.Last.Value.Key);
                }
            }

            double ratio = (double)hits / asked,
                best = (double)expected / asked;
            TestContext.Current.TestOutputHelper?.WriteLine(
                $"{size} bytes: hit ratio {ratio:F3}, one order of use {best:F3}"
            );
            Assert.InRange(ratio, best - 0.03, best + 0.01);
        }

        store.Check();
    }

    [Fact]
    public void The_numbers_of_the_classes_add_up()
    {
        var store = new StoreFixture(4 << 20);
        for (int i = 0; i < 5_000; i++)
        {
            store.Run(CacheOperation.Set, $"k{i}", new string('x', i % 7 * 300));
            store.Get($"k{i / 2}");
        }

        store.Now += 5;
        CacheStoreNumbers numbers = StoreReport.Of(store.Store, store.Now);
        Assert.Equal(store.Store.Count, numbers.Classes.Sum(c => c.Items));
        Assert.Equal(store.Store.Ledger.Bytes, numbers.Classes.Sum(c => c.MemoryRequested));
        Assert.Equal(store.Of(CacheCount.Evictions), numbers.Classes.Sum(c => c.Evicted));
        Assert.Equal(store.Of(CacheCount.GetHits), numbers.Classes.Sum(c => c.GetHits));
        Assert.Equal(5_000, numbers.Classes.Sum(c => c.SetCommands));
        Assert.Equal(5U, numbers.OldestSeconds);
        Assert.All(numbers.Classes, c => Assert.Equal(c.TotalPages * c.ChunksPerPage, c.UsedChunks + c.FreeChunks));
        long pages =
            numbers.Classes.Sum(c => c.TotalPages) + numbers.FreePages + (numbers.HashBytes / numbers.PageBytes);
        Assert.InRange(
            pages,
            (store.Store.LimitBytes / numbers.PageBytes) - 1,
            store.Store.LimitBytes / numbers.PageBytes
        );
    }

    [Fact]
    public void No_operation_allocates()
    {
        var store = new StoreFixture(4 << 20);
        byte[] value = new byte[500],
            number = "41"u8.ToArray(),
            key = new byte[8],
            large = new byte[100_000];
        var reader = new Counting();
        long worst = 0;
        for (int i = 0; i < 30_000; i++)
        {
            BitConverter.TryWriteBytes(key, i % 15_000);
            long before = GC.GetAllocatedBytesForCurrentThread();
            Run(CacheOperation.Get, default);
            Run(CacheOperation.Set, value);
            Run(CacheOperation.Get, default);
            Run(CacheOperation.Append, value);
            Run(CacheOperation.Touch, default);
            Run(CacheOperation.Set, number);
            Run(CacheOperation.Increment, default);
            Run(CacheOperation.Decrement, default);
            Run(CacheOperation.Inspect, default);
            if (i % 4 == 0)
            {
                Run(CacheOperation.Delete, default);
                Run(CacheOperation.Delete, default);
                Run(CacheOperation.Increment, default);
            }
            else if (i % 50 == 1)
            {
                Run(CacheOperation.Set, large);
                Run(CacheOperation.Get, default);
            }

            long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            worst = i < 2_000 ? 0 : Math.Max(worst, allocated);
        }

        Assert.True(reader.Bytes > 0);
        Assert.True(store.Of(CacheCount.Evictions) > 1_000);

        Assert.Equal(0, worst);

        void Run(CacheOperation operation, ReadOnlySpan<byte> bytes)
        {
            var command = new Command
            {
                Terms = new CacheTerms
                {
                    Operation = operation,
                    Expiry = 100,
                    Delta = 1,
                },
                Hash = store.Store.HashOf(key),
                Group = store.Group,
                ClientKey = key,
                Value = bytes,
            };
            CacheReply reply = store.Runner.Run(command, store.Now, out ItemValue read);
            if (read.IsThere)
            {
                read.GiveTo(reader, reply);
            }
        }
    }

    private sealed class Counting : ICacheValueReader
    {
        public long Bytes { get; private set; }

        public void TakeValue(in CacheReply reply, ReadOnlySpan<byte> piece, int offset) => Bytes += piece.Length;
    }
}
