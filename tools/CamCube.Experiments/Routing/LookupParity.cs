using CamCube.Services.Workloads.Routing;
using CamCube.Simulator;

namespace CamCube.Experiments.Routing;

/// <summary>
/// Cache lookups (SIGCOMM §3.3): every server looks every item up, first while the copies are made, then again while it
/// counts: hops to the server that serves, and the part that the items' roots serve.
/// </summary>
internal static class LookupParity
{
    private const int Gap = 4;

    /// <summary>Mean hops and the roots' part, with k copies besides the root.</summary>
    public static (double Hops, double RootPart) Run(
        TorusShape shape,
        ulong seed,
        int items,
        int copies,
        bool isFunction
    )
    {
        var options = new CacheRoutingOptions(items, copies);
        using SimulatedCube cube = isFunction
            ? ParityCubes.Make(shape, seed, s => new CacheRoutingService(s, options))
            : ParityCubes.Make(shape, seed, s => new CacheRoutingNativeService(s, options));
        var random = new DrawStream(seed, "lookups");
        LookUpAll(cube, options, random);
        (long served, long hops, long byRoot) = Sum(cube);
        LookUpAll(cube, options, random);
        (long servedAfter, long hopsAfter, long byRootAfter) = Sum(cube);
        long lookups = servedAfter - served;
        return lookups == (long)items * shape.Count
            ? ((double)(hopsAfter - hops) / lookups, (double)(byRootAfter - byRoot) / lookups)
            : throw new InvalidOperationException($"{lookups} of {items * shape.Count} lookups were served.");
    }

    private static void LookUpAll(SimulatedCube cube, CacheRoutingOptions options, DrawStream random)
    {
        foreach (int lookup in random.Choose(cube.Shape.Count * options.Items, cube.Shape.Count * options.Items))
        {
            cube.Service<ICacheRouting>(lookup / options.Items).Lookup(lookup % options.Items);
            cube.AdvanceMicros(Gap);
        }

        cube.AdvanceMicros(1_000);
    }

    private static (long Served, long Hops, long ByRoot) Sum(SimulatedCube cube)
    {
        (long served, long hops, long byRoot) = (0, 0, 0);
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            CacheRoutingCounts counts = cube.Service<ICacheRouting>(rank).Counts;
            (served, hops, byRoot) = (
                served + counts.Served,
                hops + counts.ServedHops,
                byRoot + counts.ServedAsRoot.Values.Sum()
            );
        }

        return (served, hops, byRoot);
    }
}
