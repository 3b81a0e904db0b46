using CamCube.Runtime.Engine;
using CamCube.Simulator.Engine;

namespace CamCube.Simulator;

/// <summary>What simulated servers do before a stop in order.</summary>
internal static class OrderlyStop
{
    private const long FirstStep = 10_000;
    private const long LongestStep = 1_000_000;

    /// <summary>Tells the services of running servers, all at once, and lets virtual time pass until they are done or
    /// their time is over. A server that was stopped meanwhile is waited for no longer.</summary>
    public static void Prepare(SimulatedCube cube, SweepEngine engine, params ReadOnlySpan<int> ranks)
    {
        var staying = new Dictionary<int, ServerRuntime>();
        engine.TakeLoops();
        foreach (int rank in ranks)
        {
            ServerRuntime server = engine.ServerAt(rank)!;
            staying.Add(rank, server);
            server.Host.Leave(server.Context.Options.StopTimeout, () => staying.Remove(rank));
        }

        for (
            long step = FirstStep;
            staying.Any(one => engine.ServerAt(one.Key) == one.Value);
            step = Math.Min(2 * step, LongestStep)
        )
        {
            cube.AdvanceTo(engine.Now + step);
        }
    }
}
