using CamCube.Testbed;

namespace CamCube.Benchmarks.Cables;

/// <summary>A testbed that this process has built: gone when disposed, and nothing is left of one that cannot be built.
/// Needs root.</summary>
internal sealed class OwnTestbed : IDisposable
{
    private static readonly TimeSpan StartTime = TimeSpan.FromMinutes(3);

    private OwnTestbed(TestbedState state) => State = state;

    /// <summary>Its servers.</summary>
    public TestbedState State { get; }

    /// <summary>Builds it, and waits until its servers are ready.</summary>
    /// <param name="plan">What is built.</param>
    /// <param name="cancel">Ends it.</param>
    /// <exception cref="TestbedException">It cannot be built.</exception>
    public static async Task<OwnTestbed> BuildAsync(TestbedPlan plan, CancellationToken cancel)
    {
        try
        {
            return new OwnTestbed(await new TestbedBuilder(plan, static _ => { }).BuildAsync(StartTime, cancel));
        }
        catch
        {
            Remove(plan.Name);
            throw;
        }
    }

    public void Dispose() => Remove(State.Plan.Name);

    private static void Remove(string name)
    {
        if (TestbedStore.Read(name) is { } state)
        {
            using TestbedStore store = TestbedStore.Open(name);
            TestbedRemover.Remove(store, state);
        }
    }
}
