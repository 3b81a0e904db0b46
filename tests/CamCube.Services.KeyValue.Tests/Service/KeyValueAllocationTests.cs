using System.Text;
using CamCube.Services.KeyValue.Operations;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>What a read and a change allocate at all servers together (the asker, the leader, the members), once all
/// pools are filled: more than nothing, and no more than it was when this was written. A table in memory, for a
/// simulated disk allocates for itself.</summary>
public sealed class KeyValueAllocationTests
{
    private const int Operations = 500;
    private const int MostTimes = 60;

    // The compiler makes an object of every async call in a debug build.
#if DEBUG
    private const int More = 16_384;
#else
    private const int More = 0;
#endif

    // 96 bytes where all of it is compiled when it runs; 352 with code that was compiled ahead, as it is shipped.
    [Theory]
    [InlineData(0, 352)]
    [InlineData(1, 352)]
    [InlineData(2, 352)]
    public void A_read_allocates_little(int behindLeader, int most) => Check(behindLeader, isChange: false, most);

    // An entry is an object with its bytes at each of three servers, and is kept there for members that were away.
    [Theory]
    [InlineData(0, 4_000)]
    [InlineData(1, 4_000)]
    [InlineData(2, 4_000)]
    public void A_change_allocates_its_entries(int behindLeader, int most) => Check(behindLeader, isChange: true, most);

    private static void Check(int behindLeader, bool isChange, int most)
    {
        using var cube = new StoreCube(3, 1, 1, new KeyValueOptions { Mode = "storage=memory" });
        cube.AwaitLed();
        Coordinate root = cube.Cube[0].Topology.RootOf(KeyRoute.Of(0, "key"u8));
        int rank = (cube.Cube.Shape.RankOf(root) + behindLeader) % 3;
        var key = KeyValueKey.Of("key");
        byte[] value = Encoding.UTF8.GetBytes(new string('v', 400));
        var into = new System.Buffers.ArrayBufferWriter<byte>(1_024);
        Assert.Equal(Done, cube.Put(rank, "key", new string('v', 400)).Status);
        for (int i = 0; i < 3_000; i++)
        {
            Run();
        }

        long least = long.MaxValue;
        for (int times = 0; times < 10 || (times < MostTimes && least > (long)most * Operations); times++)
        {
            // Code that is not compiled well yet allocates more, and when that is done nobody says.
            long began = cube.Cube.NowNanos,
                before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < Operations; i++)
            {
                Run();
            }

            // What goes on all the time, as beats, is not of operations.
            long allocated = GC.GetAllocatedBytesForCurrentThread() - before,
                took = cube.Cube.NowNanos - began;
            before = GC.GetAllocatedBytesForCurrentThread();
            cube.Cube.Advance(TimeSpan.FromMicroseconds(took / 1_000));
            least = Math.Min(least, allocated - (GC.GetAllocatedBytesForCurrentThread() - before));
        }

        TestContext.Current.TestOutputHelper!.WriteLine($"{least / (double)Operations} bytes");
        Assert.InRange(least / Operations, long.MinValue, most + More);
        cube.Cube.AssertQuiet();

        void Run()
        {
            into.ResetWrittenCount();
            ValueTask<KeyValueAnswer> running = isChange
                ? cube[rank].PutAsync(key, value, default)
                : cube[rank].GetAsync(key, KeyValueReads.Latest, into, null);
            for (int i = 0; i < 100 && !running.IsCompleted; i++)
            {
                cube.Cube.Advance(TimeSpan.FromMicroseconds(100));
            }

            // Not an assertion on the way: those allocate.
            if (!running.IsCompleted || running.GetAwaiter().GetResult().Status != Done)
            {
                Assert.Fail("It has not ended well.");
            }
        }
    }
}
