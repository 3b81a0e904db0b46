using System.Buffers;
using CamCube.Services.Cache.Tests.Cubes;

namespace CamCube.Services.Cache.Tests.Backing;

/// <summary>What a read of a key with a Backed prefix allocates where it is answered at once: nothing, once all pools
/// are filled.</summary>
public sealed class BackedAllocationTests
{
    private const int WarmUp = 3_000,
        Measured = 500,
        MostTimes = 60;

    // The compiler makes an object of every async call in a debug build.
#if DEBUG
    private const int Allowed = 4_096;
#else
    private const int Allowed = 0;
#endif

    [Theory]
    [InlineData(1, "storage=memory,reads=lease")]
    [InlineData(3, "storage=memory,reads=lease")]
    public void A_read_at_the_root_out_of_the_stores_memory(int size, string mode)
    {
        using var cube = new BackedCube(size, 1, 1, mode);
        string key = cube.KeyAt(size - 1);
        Assert.Equal(CacheStatus.Done, cube.Run(0, CacheOperation.Set, key, new string('v', 500), flags: 5).Status);
        byte[] bytes = CacheCube.Bytes(key);
        var taken = new Counted();
        CacheService cache = cube[size - 1];
        Check(() =>
        {
            cube.Cube.Advance(TimeSpan.FromMicroseconds(10));
            if (!cache.TryExecute(default, bytes, default, null, out _))
            {
                // Now and then whoever decides about the key asks a majority whether it still does.
                Assert.NotNull(cube.Get(size - 1, key));
            }

            long before = GC.GetAllocatedBytesForCurrentThread();
            if (!cache.TryExecute(default, bytes, default, taken, out CacheReply reply) || reply.Flags != 5)
            {
                Assert.Fail("It has not ended well.");
            }

            return GC.GetAllocatedBytesForCurrentThread() - before;
        });
        Assert.InRange(taken.Bytes, 500L * WarmUp, long.MaxValue);
    }

    [Fact]
    public void A_read_of_a_copy()
    {
        using var cube = new BackedCube(
            3,
            3,
            3,
            options: new CacheOptions { DefaultReplicas = 1, CopyLease = TimeSpan.FromSeconds(60) }
        );
        var holder = new Coordinate(1, 0, 0);
        string key = cube.KeyWithCopyAt(new Coordinate(1, 1, 1), holder);
        Assert.Equal(CacheStatus.Done, cube.Set(5, key, new string('v', 500)));
        Assert.NotNull(cube.Get(0, key));
        CacheService cache = cube[cube.Cube.Shape.RankOf(holder)];
        var request = new CacheRequest { Key = CacheCube.Bytes(key), Into = new ArrayBufferWriter<byte>(4_096) };
        Check(() =>
        {
            ((ArrayBufferWriter<byte>)request.Into).ResetWrittenCount();
            long before = GC.GetAllocatedBytesForCurrentThread();
            ValueTask<CacheReply> running = cache.ExecuteAsync(request);
            if (!running.IsCompleted || running.GetAwaiter().GetResult().Status != CacheStatus.Done)
            {
                Assert.Fail("It has not ended well.");
            }

            return GC.GetAllocatedBytesForCurrentThread() - before;
        });
    }

    // Code that is not compiled well yet allocates more, and when that is done nobody says: the least counts.
    private static void Check(Func<long> read)
    {
        for (int i = 0; i < WarmUp; i++)
        {
            read();
        }

        long least = long.MaxValue;
        for (int times = 0; times < MostTimes && least > Allowed * Measured; times++)
        {
            long sum = 0;
            for (int i = 0; i < Measured; i++)
            {
                sum += read();
            }

            least = Math.Min(least, sum);
        }

        Assert.InRange(least / Measured, 0, Allowed);
    }

    private sealed class Counted : ICacheValueReader
    {
        public long Bytes { get; private set; }

        public void TakeValue(in CacheReply reply, ReadOnlySpan<byte> piece, int offset) => Bytes += piece.Length;
    }
}
