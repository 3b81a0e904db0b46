using System.Buffers;
using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Tests.Cubes;
using static CamCube.Services.Cache.Tests.HotSpots.SpotCube;

namespace CamCube.Services.Cache.Tests.HotSpots;

/// <summary>What reads through copies, renewals, and changes that end copies allocate: nothing, once all pools are
/// filled.</summary>
public sealed class CopyAllocationTests
{
    private const int WarmUp = 2_000,
        Measured = 500;
    private readonly ArrayBufferWriter<byte> _into = new(4_096);

    // The compiler makes an object of every async call in a debug build.
#if DEBUG
    private const int Allowed = 4_096;
#else
    private const int Allowed = 0;
#endif

    [Fact]
    public void A_read_of_a_copy_allocates_nothing()
    {
        using SpotCube cube = Make();
        CacheRequest read = Read(cube);
        Check(() => Run(cube, Asker, read, CacheStatus.Done));
        Assert.InRange(cube.At(Holder, CacheCount.CopyHits), WarmUp, long.MaxValue);
    }

    [Fact]
    public void A_renewal_allocates_nothing()
    {
        using SpotCube cube = Make();
        CacheRequest read = Read(cube);
        Check(() =>
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(200));
            Run(cube, Asker, read, CacheStatus.Done);
        });
        Assert.InRange(cube.At(Holder, CacheCount.CopiesRenewed), WarmUp, long.MaxValue);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_change_that_ends_a_copy_and_the_next_read_allocate_nothing(bool isAtRoot)
    {
        // What is remembered for a while is to have come to its usual number within the warm-up.
        using SpotCube cube = Make(new CacheOptions { RecentAnswers = 64, CopyLease = TimeSpan.FromMilliseconds(10) });
        CacheRequest read = Read(cube);
        var set = new CacheRequest
        {
            Terms = new CacheTerms { Operation = CacheOperation.Set },
            Key = CacheCube.Bytes(cube.Key),
            Value = new byte[500],
        };
        Check(() =>
        {
            Run(cube, isAtRoot ? Root : Writer, set, CacheStatus.Done);
            Run(cube, Asker, read, CacheStatus.Done);
        });

        // A millisecond after a change of the root's own client nobody gets a copy.
        Assert.InRange(cube.At(Holder, CacheCount.CopiesFlushed), isAtRoot ? 100 : WarmUp, long.MaxValue);
    }

    private static SpotCube Make(CacheOptions? options = null)
    {
        var cube = new SpotCube(options);
        Assert.Equal(CacheStatus.Done, cube.Cache.Set(Writer, cube.Key, new byte[500]));
        return cube;
    }

    private CacheRequest Read(SpotCube cube) => new() { Key = CacheCube.Bytes(cube.Key), Into = _into };

    private void Run(SpotCube cube, Coordinate at, in CacheRequest request, CacheStatus expected)
    {
        _into.ResetWrittenCount();
        ValueTask<CacheReply> running = cube.Cache[at].ExecuteAsync(request);
        for (int i = 0; i < 100 && !running.IsCompleted; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMicroseconds(100));
        }

        // Not an assertion on the way: those allocate.
        if (!running.IsCompleted || running.GetAwaiter().GetResult().Status != expected)
        {
            Assert.Fail("It has not ended well.");
        }
    }

    private static void Check(Action step)
    {
        for (int i = 0; i < WarmUp; i++)
        {
            step();
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Measured; i++)
        {
            step();
        }

        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / Measured, 0, Allowed);
    }
}
