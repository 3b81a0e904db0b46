namespace CamCube.Shim.Tests.Kit;

/// <summary>What a piece of code allocates on its thread.</summary>
internal static class Allocations
{
    /// <summary>The least of several runs, after a run to warm up: a collection that other tests cause adds what is
    /// left of the thread's own allocation buffer to its count.</summary>
    public static long Of(Action code)
    {
        code();
        long least = long.MaxValue;
        for (int i = 0; i < 5 && least > 0; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            code();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
