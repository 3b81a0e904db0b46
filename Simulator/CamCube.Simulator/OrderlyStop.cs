using CamCube.Runtime.Engine;
using CamCube.Simulator.Engine;

namespace CamCube.Simulator;

/// <summary>What a simulated server does before a stop in order.</summary>
internal static class OrderlyStop
{
    private const long FirstStep = 10_000;
    private const long LongestStep = 1_000_000;

    /// <summary>Tells the services and lets virtual time pass until they are done or their time is over.</summary>
    public static void Prepare(SimulatedCube cube, SweepEngine engine, int rank)
    {
        ServerRuntime server = engine.ServerAt(rank)!;
        bool left = false;
        engine.TakeLoops();
        server.Host.Leave(server.Context.Options.StopTimeout, () => left = true);
        for (long step = FirstStep; !left && engine.ServerAt(rank) == server; step = Math.Min(2 * step, LongestStep))
        {
            cube.AdvanceTo(engine.Now + step);
        }
    }
}
