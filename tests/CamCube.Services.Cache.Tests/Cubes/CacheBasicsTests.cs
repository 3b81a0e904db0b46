using System.Buffers;
using CamCube.Services.Cache.Counting;
using CamCube.Simulator.Settings;

namespace CamCube.Services.Cache.Tests.Cubes;

public sealed class CacheBasicsTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Fact]
    public void What_is_set_through_one_server_is_read_through_every_other()
    {
        using var cube = new CacheCube(3, 3, 3);
        for (int from = 0; from < 27; from++)
        {
            for (int to = 0; to < 27; to++)
            {
                string key = $"{from}-{to}";
                Assert.Equal(CacheStatus.Done, cube.Set(cube.Cube.Shape.At(from), key, $"value {key}"));
                Assert.Equal($"value {key}", cube.Get(cube.Cube.Shape.At(to), key));
            }
        }

        Assert.Equal(27 * 27, cube.Sum(CacheCount.CurrItems));
        Assert.Equal(0, cube.Sum(CacheCount.Retries) - cube.Sum(CacheCount.Refusals));
        cube.AssertQuiet();
    }

    [Fact]
    public void An_item_is_in_memory_at_the_root_of_its_key_only()
    {
        using var cube = new CacheCube(3, 3, 3);
        for (int i = 0; i < 100; i++)
        {
            cube.Set(A, $"k{i}", "v");
        }

        for (int rank = 0; rank < 27; rank++)
        {
            int expected = Enumerable
                .Range(0, 100)
                .Count(i => Key.OfName($"k{i}").HomeIn(cube.Cube.Shape) == cube.Cube.Shape.At(rank));
            Assert.Equal(expected, cube[rank].Store.Count);
        }

        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(2, 1, 1)]
    [InlineData(2, 2, 2)]
    [InlineData(4, 3, 1)]
    public void Every_operation_works_on_every_shape_near_and_far(int x, int y, int z)
    {
        using var cube = new CacheCube(x, y, z);
        for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
        {
            string key = cube.KeyAt(cube.Cube.Shape.At(rank));
            Assert.Equal(CacheStatus.NotFound, cube.Run(A, CacheOperation.Get, key).Status);
            Assert.Equal(CacheStatus.NotStored, cube.Run(A, CacheOperation.Replace, key, "0").Status);
            Assert.Equal(CacheStatus.Done, cube.Run(A, CacheOperation.Add, key, "10", flags: 42).Status);
            Assert.Equal(CacheStatus.NotStored, cube.Run(A, CacheOperation.Add, key, "11").Status);
            CacheReply read = cube.Read(A, key, out byte[] value);
            Assert.Equal((42U, "10"), (read.Flags, System.Text.Encoding.Latin1.GetString(value)));
            Assert.Equal(
                CacheStatus.Exists,
                cube.Run(A, CacheOperation.CompareAndSwap, key, "1", cas: read.Cas + 1).Status
            );
            Assert.Equal(CacheStatus.Done, cube.Run(A, CacheOperation.CompareAndSwap, key, "20", cas: read.Cas).Status);
            Assert.Equal(21UL, cube.Run(A, CacheOperation.Increment, key, delta: 1).Number);
            Assert.Equal(9UL, cube.Run(A, CacheOperation.Decrement, key, delta: 12).Number);
            Assert.Equal("9 ", cube.Get(A, key));
            Assert.Equal(CacheStatus.Done, cube.Run(A, CacheOperation.Append, key, ">").Status);
            Assert.Equal(CacheStatus.Done, cube.Run(A, CacheOperation.Prepend, key, "<").Status);
            Assert.Equal(CacheStatus.NotANumber, cube.Run(A, CacheOperation.Increment, key, delta: 1).Status);
            var into = new ArrayBufferWriter<byte>();
            Assert.Equal(
                CacheStatus.Done,
                cube.Cube.Await(cube.Start(A, CacheOperation.GetAndTouch, key, expiry: 10, into: into)).Status
            );
            Assert.Equal(CacheCube.Bytes("<9 >"), into.WrittenSpan.ToArray());
            Assert.Equal(CacheStatus.Done, cube.Run(A, CacheOperation.Touch, key, expiry: 20).Status);
            cube.Cube.Advance(TimeSpan.FromSeconds(15));
            Assert.Equal("<9 >", cube.Get(A, key));
            cube.Cube.Advance(TimeSpan.FromSeconds(5));
            Assert.Null(cube.Get(A, key));
            Assert.Equal(CacheStatus.Done, cube.Set(A, key, ""));
            Assert.Equal("", cube.Get(A, key));
            Assert.Equal(CacheStatus.Done, cube.Run(A, CacheOperation.Delete, key).Status);
            Assert.Equal(CacheStatus.NotFound, cube.Run(A, CacheOperation.Delete, key).Status);
        }

        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(9_014, 0)]
    [InlineData(1_514, 0)]
    [InlineData(9_014, 0.1)]
    [InlineData(1_514, 0.1)]
    public void Values_of_a_mebibyte_travel_whole_also_when_packets_are_lost(int frame, double loss)
    {
        using var cube = new CacheCube(2, 1, 1, simulator: new SimulatorOptions { MaxFrameLength = frame });
        var random = new Random(frame);
        cube.Cube.Lose = (_, _, p) => p.Service.Value == 0x0110 && random.NextDouble() < loss;
        foreach (int length in new[] { 1, 1_300, 8_900, 9_100, 100_000, 1 << 20 })
        {
            string key = cube.KeyAt(B, length % 7);
            byte[] value = CacheCube.Value(length, length);
            Assert.Equal(CacheStatus.Done, cube.Set(A, key, value));
            Assert.Equal(CacheStatus.Done, cube.Read(A, key, out byte[] got).Status);
            Assert.Equal(value, got);
            Assert.Equal(CacheStatus.Done, cube.Read(B, key, out got).Status);
            Assert.Equal(value, got);
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Many_large_values_at_once_all_arrive()
    {
        using var cube = new CacheCube(3, 3, 3);
        var sets = new List<Task<CacheReply>>();
        for (int i = 0; i < 60; i++)
        {
            sets.Add(
                cube.Start(cube.Cube.Shape.At(i % 27), CacheOperation.Set, $"big{i}", CacheCube.Value(1 << 20, i))
                    .AsTask()
            );
        }

        foreach (Task<CacheReply> set in sets)
        {
            Assert.Equal(CacheStatus.Done, cube.Cube.Await(new ValueTask<CacheReply>(set)).Status);
        }

        for (int i = 0; i < 60; i++)
        {
            Assert.Equal(
                CacheStatus.Done,
                cube.Read(cube.Cube.Shape.At((i + 13) % 27), $"big{i}", out byte[] got).Status
            );
            Assert.Equal(CacheCube.Value(1 << 20, i), got);
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void A_value_that_is_too_large_is_refused_and_removes_the_old_one()
    {
        using var cube = new CacheCube(2, 1, 1);
        foreach (Coordinate home in new[] { A, B })
        {
            string key = cube.KeyAt(home);
            cube.Set(A, key, "old");
            byte[] tooLarge = new byte[(1 << 20) + 1];
            Assert.Equal(
                CacheStatus.TooLarge,
                cube.Cube.Await(cube.Start(A, CacheOperation.Append, key, tooLarge)).Status
            );
            Assert.Equal("old", cube.Get(A, key));
            Assert.Equal(CacheStatus.TooLarge, cube.Set(A, key, tooLarge));
            Assert.Null(cube.Get(A, key));
            Assert.Equal(CacheStatus.BadKey, cube.Set(A, new string('k', 251), "v"));
            Assert.Equal(CacheStatus.BadKey, cube.Set(A, "", "v"));
            Assert.Equal(CacheStatus.Done, cube.Set(A, new string('k', 250), "v"));
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Memory_stays_within_its_limit_and_old_items_go_first()
    {
        using var cube = new CacheCube(2, 1, 1, new CacheOptions { MemoryLimit = 1 << 20, MaxValueLength = 100_000 });
        var keys = Enumerable.Range(0, 30).Select(i => cube.KeyAt(B, i)).ToList();
        foreach (string key in keys)
        {
            Assert.Equal(CacheStatus.Done, cube.Set(A, key, new byte[100_000]));
            Assert.InRange(cube[B].Store.ResidentBytes, 0, 1 << 20);
        }

        int kept = cube[B].Store.Count;
        Assert.InRange(kept, 8, 10);
        Assert.Null(cube.Get(A, keys[0]));
        Assert.NotNull(cube.Get(A, keys[29]));
        Assert.Equal(30 - kept, cube.Sum(CacheCount.Evictions));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_hit_allocates_nothing_and_at_the_root_it_is_done_at_once()
    {
        using var cube = new CacheCube(2, 1, 1);
        var into = new ArrayBufferWriter<byte>(4_096);
        string near = cube.KeyAt(A),
            far = cube.KeyAt(B);
        cube.Set(A, near, new byte[500]);
        cube.Set(A, far, new byte[500]);
        var nearRead = new CacheRequest { Key = CacheCube.Bytes(near), Into = into };
        var farRead = new CacheRequest { Key = CacheCube.Bytes(far), Into = into };
        CacheService cache = cube[A];
        long nearBytes = 0,
            farBytes = 0;
        for (int i = 0; i < 3_000; i++)
        {
            into.ResetWrittenCount();
            long before = GC.GetAllocatedBytesForCurrentThread();
            ValueTask<CacheReply> read = cache.ExecuteAsync(nearRead);
            nearBytes = GC.GetAllocatedBytesForCurrentThread() - before;
            Assert.True(read.IsCompletedSuccessfully);
            Assert.Equal((CacheStatus.Done, 500), (cube.Cube.Await(read).Status, into.WrittenCount));

            into.ResetWrittenCount();
            before = GC.GetAllocatedBytesForCurrentThread();
            read = cache.ExecuteAsync(farRead);
            cube.Cube.Advance(TimeSpan.FromMicroseconds(100));
            farBytes = GC.GetAllocatedBytesForCurrentThread() - before;
            Assert.True(read.IsCompletedSuccessfully);
            Assert.Equal((CacheStatus.Done, 500), (cube.Cube.Await(read).Status, into.WrittenCount));
        }

        Assert.Equal(0, nearBytes);
#if !DEBUG
        Assert.Equal(0, farBytes);
#endif
        cube.AssertQuiet();
    }
}
