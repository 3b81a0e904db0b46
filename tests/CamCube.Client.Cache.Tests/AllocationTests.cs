using System.Buffers;
using CamCube.Client.Cache.Tests.Kit;
using CamCube.Testing;
using Microsoft.Extensions.Caching.Distributed;

namespace CamCube.Client.Cache.Tests;

/// <summary>What an operation allocates, against memcached in a process of its own; alone, since all threads are
/// counted.</summary>
[CollectionDefinition(nameof(AllocationTests), DisableParallelization = true)]
[Collection(nameof(AllocationTests))]
public sealed class AllocationTests(MemcachedBackend backend, ITestOutputHelper output)
    : IClassFixture<MemcachedBackend>
{
    private const int Operations = 5_000;

    [Fact]
    public async Task The_buffer_interface_allocates_next_to_nothing()
    {
        backend.Require();
        await using var fixture = new CacheFixture(
            new TestClock(),
            options => options.Servers = [.. backend.Addresses]
        );
        IBufferDistributedCache cache = fixture.Cache;
        var value = new ReadOnlySequence<byte>(new byte[512]);
        var options = new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) };
        var into = new ArrayBufferWriter<byte>(1024);
        string hashed = new('k', 1000);

        double set = await MeasureAsync(() => cache.SetAsync("key", value, options));
        await cache.SetAsync(hashed, value, options);
        double get = await MeasureAsync(() => cache.TryGetAsync("key", into), into.ResetWrittenCount);
        double getHashed = await MeasureAsync(() => cache.TryGetAsync(hashed, into), into.ResetWrittenCount);
        double miss = await MeasureAsync(() => cache.TryGetAsync("none", into), into.ResetWrittenCount);
        output.WriteLine(
            $"bytes per operation: set {set:F0}, get {get:F0}, get of a hashed key {getHashed:F0}, miss {miss:F0}"
        );
        Assert.All([set, get, getHashed, miss], bytes => Assert.InRange(bytes, 0, 32));
    }

    private static async Task<double> MeasureAsync(Func<ValueTask> operation)
    {
        for (int i = 0; i < Operations; i++)
        {
            await operation();
        }

        long before = GC.GetTotalAllocatedBytes(precise: true);
        for (int i = 0; i < Operations; i++)
        {
            await operation();
        }

        return (double)(GC.GetTotalAllocatedBytes(precise: true) - before) / Operations;
    }

    private static async Task<double> MeasureAsync(Func<ValueTask<bool>> operation, Action reset)
    {
        for (int i = 0; i < Operations; i++)
        {
            reset();
            await operation();
        }

        long before = GC.GetTotalAllocatedBytes(precise: true);
        for (int i = 0; i < Operations; i++)
        {
            reset();
            await operation();
        }

        return (double)(GC.GetTotalAllocatedBytes(precise: true) - before) / Operations;
    }
}
