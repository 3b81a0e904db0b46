using CamCube.Services.Workloads.Routing;
using CamCube.Simulator;

namespace CamCube.Experiments.Routing;

/// <summary>
/// SIGCOMM Fig. 1's quantity: what one connection gets by link-disjoint paths over what it gets by base routing, once
/// with the paths as verdicts and once as F.
/// </summary>
internal static class TransferParity
{
    private const int WarmupMicros = 1_000,
        MeasuredMicros = 3_000,
        DrainMicros = 3_000;
    private static readonly QueueOptions Queue = new() { LimitPackets = 50 };

    /// <summary>Gains of both forms, per destination.</summary>
    public static IEnumerable<(Coordinate To, double Native, double Function)> Run(
        TorusShape shape,
        ulong seed,
        int destinations
    )
    {
        var random = new DrawStream(seed, "parity");
        int[] places = random.Choose(Math.Min(destinations + 1, shape.Count), shape.Count);
        using SimulatedCube basis = ParityCubes.Make(shape, seed, s => new ShortestPathService(s), Queue);
        using SimulatedCube native = ParityCubes.Make(shape, seed, s => new LinkDisjointNativeService(s), Queue);
        using SimulatedCube function = ParityCubes.Make(shape, seed, s => new LinkDisjointService(s), Queue);
        foreach (int to in places.Skip(1))
        {
            double by = Bytes(basis, places[0], to);
            yield return (shape.At(to), Bytes(native, places[0], to) / by, Bytes(function, places[0], to) / by);
        }
    }

    private static double Bytes(SimulatedCube cube, int from, int to)
    {
        ITransfer source = cube.Service<ITransfer>(from),
            sink = cube.Service<ITransfer>(to);
        source.Begin(cube.Shape.At(to));
        cube.AdvanceMicros(WarmupMicros);
        long before = sink.ReceivedBytes;
        cube.AdvanceMicros(MeasuredMicros);
        long bytes = sink.ReceivedBytes - before;
        source.End();
        cube.AdvanceMicros(DrainMicros);
        return bytes;
    }
}
