namespace CamCube.Topology.Tests;

/// <summary>What questions allocate on this thread.</summary>
internal static class Allocations
{
    /// <summary>Asks once to warm up, and then must not allocate.</summary>
    public static void AssertNone(Action ask)
    {
        ask();
        long before = GC.GetAllocatedBytesForCurrentThread();
        ask();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }
}
