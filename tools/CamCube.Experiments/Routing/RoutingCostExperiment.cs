using CamCube.Runtime.Services;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Experiments.Routing;

/// <summary>
/// SIGCOMM Fig. 6: CPU time per packet and hop of base routing, of verdicts with 1, 2 and 3 links and of F with 1, 2
/// and 3 keys. A number of packets goes round a simulated cube for ever, one cube per variant. The variants take turns,
/// round by round, in one process, so that what else the machine does hits all of them; the median of the rounds
/// counts.
/// </summary>
internal sealed class RoutingCostExperiment : IDisposable
{
    private readonly List<Variant> _variants = [];

    public RoutingCostExperiment(TorusShape shape, ulong seed)
    {
        Add("base", 0, shape, seed, static (server, options) => new WanderBaseService(server, options));
        for (int keys = 1; keys <= 3; keys++)
        {
            Add("verdict", keys, shape, seed, static (server, options) => new WanderNativeService(server, options));
            Add("function", keys, shape, seed, static (server, options) => new WanderFunctionService(server, options));
        }
    }

    /// <summary>The variants, the baseline first.</summary>
    public IReadOnlyList<Variant> Variants => _variants;

    /// <summary>Lets each variant make about this many packet hops, and notes what one cost if that is
    /// wanted.</summary>
    public void Round(long hops, bool isMeasured)
    {
        foreach (Variant variant in _variants)
        {
            variant.Round(hops, isMeasured);
        }
    }

    public void Dispose()
    {
        foreach (Variant variant in _variants)
        {
            variant.Dispose();
        }
    }

    private void Add<T>(string kind, int keys, TorusShape shape, ulong seed, Func<IServer, WanderOptions, T> create)
        where T : class, ICamCubeService
    {
        var options = new WanderOptions { Keys = Math.Max(keys, 1) };
        _variants.Add(
            new Variant(
                kind,
                keys,
                new SimulatedCube(
                    shape,
                    [ServiceDefinition.Of(activation => create(activation.Server, options))],
                    new SimulatorOptions { Seed = seed }
                )
            )
        );
    }

    /// <summary>One way of routing.</summary>
    public sealed class Variant(string kind, int keys, SimulatedCube cube) : IDisposable
    {
        private readonly List<double> _nanos = [];

        /// <summary>base, verdict, function.</summary>
        public string Kind => kind;

        /// <summary>Links or keys per answer; 0 for base routing.</summary>
        public int Keys => keys;

        /// <summary>CPU nanoseconds per packet hop of each round.</summary>
        public IReadOnlyList<double> Nanos => _nanos;

        /// <summary>Their median.</summary>
        public double Median
        {
            get
            {
                double[] sorted = [.. _nanos.Order()];
                return (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
            }
        }

        public void Round(long hops, bool isMeasured)
        {
            long before = cube.PacketHops;
            TimeSpan began = Environment.CpuUsage.TotalTime;
            while (cube.PacketHops - before < hops)
            {
                cube.Advance(TimeSpan.FromMilliseconds(1));
            }

            double nanos = (Environment.CpuUsage.TotalTime - began).TotalNanoseconds / (cube.PacketHops - before);
            if (isMeasured)
            {
                _nanos.Add(nanos);
            }
        }

        public void Dispose() => cube.Dispose();
    }
}
