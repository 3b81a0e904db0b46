using CamCube.Runtime;
using CamCube.Runtime.Core;
using CamCube.Runtime.Services;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Experiments.Routing;

/// <summary>Cubes for comparisons in which nothing fails.</summary>
internal static class ParityCubes
{
    /// <summary>A cube with one service.</summary>
    public static SimulatedCube Make<T>(
        TorusShape shape,
        ulong seed,
        Func<IServer, T> create,
        QueueOptions? queue = null
    )
        where T : class, ICamCubeService =>
        new(
            shape,
            [ServiceDefinition.Of(activation => create(activation.Server), queue)],
            new SimulatorOptions { Seed = seed },
            new ServerOptions { Liveness = new LivenessOptions { DetectionTime = TimeSpan.FromSeconds(60) } }
        );

    /// <summary>Lets time pass, in microseconds.</summary>
    public static void AdvanceMicros(this SimulatedCube cube, long micros) =>
        cube.AdvanceTo(cube.NowNanos + (micros * 1_000));
}
