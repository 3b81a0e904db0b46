using CamCube.Calls.Tests.Ledgers;

namespace CamCube.Calls.Tests.Asking;

/// <summary>What calls allocate, here and there: nothing, once all pools are filled.</summary>
public sealed class CallAllocationTests
{
    // The compiler makes an object of every async call in a debug build.
#if DEBUG
    private const int Allowed = 4_096;
#else
    private const int Allowed = 0;
#endif

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_call_allocates_nothing(int rank)
    {
        using var cube = new LedgerCube(2, 1, 1, remembered: 64);
        Key key = cube.KeyAt(new(1, 0, 0));
        for (int i = 0; i < 2_000; i++)
        {
            Run(cube, rank, key);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 500; i++)
        {
            Run(cube, rank, key);
        }

        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / 500, 0, Allowed);
        cube.AssertQuiet();
    }

    private static void Run(LedgerCube cube, int rank, Key key)
    {
        ValueTask<LedgerReply> running = cube[rank].AddAsync(key, 1, ballast: []);
        for (int i = 0; i < 100 && !running.IsCompleted; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMicroseconds(100));
        }

        // Not an assertion on the way: those allocate.
        if (!running.IsCompleted || running.GetAwaiter().GetResult().Status != LedgerStatus.Done)
        {
            Assert.Fail("It has not ended well.");
        }
    }
}
