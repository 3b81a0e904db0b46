using CamCube.Testbed;

namespace CamCube.Chaos;

/// <summary>The testbed of a run: servers with disks and cables of their own, that notice failures within a second, and
/// that are gone after it.</summary>
internal static class ChaosTestbed
{
    /// <summary>Of each server's data, in its state folder.</summary>
    public const string DataFolder = "data";

    /// <summary>What it is like.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="shape">Axis sizes.</param>
    /// <param name="diskBytes">Bytes of each server's disk.</param>
    /// <param name="program">The host's program; empty: the one beside the tool.</param>
    /// <param name="settings">Settings beside those of the key-value store, whose files are small, so that in a short
    /// run many are emptied and deleted.</param>
    public static TestbedPlan Plan(
        string name,
        string shape,
        long diskBytes,
        string program,
        IEnumerable<string> settings
    ) =>
        new()
        {
            Name = name,
            Shape = shape,
            ParallelCables = true,
            Mtu = 9_000,
            RateBitsPerSecond = 0,
            DiskBytes = diskBytes,
            Shim = "ethernet",
            FixedPlaces = true,
            Detection = "1s",
            Program = program,
            Settings =
            [
                "CamCube:Services:kv:Enabled=true",
                $"CamCube:DataFolder={DataFolder}",
                "CamCube:Services:kv:SegmentBytes=4194304",
                .. settings,
            ],
        };

    /// <summary>Makes it, uses it, and removes it, also after Ctrl+C.</summary>
    /// <exception cref="TestbedException">There can be none, or its servers do not get ready.</exception>
    public static async Task<T> UseAsync<T>(
        TestbedPlan plan,
        TimeSpan startTime,
        Action<string> progress,
        Func<TestbedState, Task<T>> use,
        CancellationToken cancel
    )
    {
        try
        {
            TestbedState state = await new TestbedBuilder(plan, progress)
                .BuildAsync(startTime, cancel)
                .ConfigureAwait(false);
            return await use(state).ConfigureAwait(false);
        }
        finally
        {
            if (TestbedStore.Read(plan.Name) is { } left)
            {
                using TestbedStore store = TestbedStore.Open(plan.Name);
                TestbedRemover.Remove(store, left);
            }
        }
    }
}
