using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.Diagnostics;
using CamCube.Simulator.Live;

namespace CamCube.Benchmarks;

/// <summary>The live cube that the macro runs measure.</summary>
internal static class LiveCubes
{
    public static LiveCube Make() =>
        new(
            new TorusShape(3, 3, 3),
            [ServiceDefinition.Of(a => new DiagnosticsService(a.Server, new DiagnosticsOptions()))],
            new ServerOptions(),
            new Quiet(),
            new LiveCubeOptions(),
            seed: 1,
            TimeProvider.System
        );

    public static void PrintMachine() =>
        Console.WriteLine(
            $".NET {Environment.Version}, {Environment.ProcessorCount} cores, "
                + $"{System.Runtime.InteropServices.RuntimeInformation.OSDescription}, seed 1"
        );

    /// <summary>What else runs here: ratios of rounds stand it, figures do not.</summary>
    public static void PrintLoad() => Console.WriteLine($"load: {File.ReadAllText("/proc/loadavg").Trim()}");

    private sealed class Quiet : IServerEvents
    {
        public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
            Console.Error.WriteLine($"{server} {service}: {exception}");

        public void ServiceRestarted(Coordinate server, string service) { }

        public void TopologyChanged(Coordinate server, TopologyChange change) { }
    }
}
