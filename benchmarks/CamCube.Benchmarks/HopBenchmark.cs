using BenchmarkDotNet.Attributes;
using CamCube.Runtime.Services;
using CamCube.Services.Workloads.AllToAll;
using CamCube.Simulator;

namespace CamCube.Benchmarks;

/// <summary>Packet hops of the whole simulated server, ownership checks and trace hash included: all-to-all at 0.9 of
/// the bound.</summary>
[MemoryDiagnoser]
public class HopBenchmark
{
    private SimulatedCube _cube = null!;

    /// <summary>Axis size of the cube.</summary>
    [Params(3, 8)]
    public int Axis { get; set; }

    /// <summary>Builds the cube, warms it, and checks that packets arrive before anything is timed.</summary>
    [GlobalSetup]
    public void Setup()
    {
        double bound = Axis == 3 ? 2.889e9 : 0.998e9;
        var options = new AllToAllOptions { OfferedBitsPerSecond = 0.9 * bound };
        _cube = new SimulatedCube(
            new TorusShape(Axis, Axis, Axis),
            [ServiceDefinition.Of(a => new AllToAllService(a.Server, options))]
        );
        _cube.Advance(TimeSpan.FromMilliseconds(20));
        if (_cube.PacketHops < 1_000)
        {
            throw new InvalidOperationException("No packets arrive.");
        }
    }

    /// <summary>One millisecond of virtual time. Divide by the hops of it.</summary>
    [Benchmark]
    public long Millisecond()
    {
        _cube.Advance(TimeSpan.FromMilliseconds(1));
        return _cube.PacketHops;
    }

    /// <summary>Ends the cube.</summary>
    [GlobalCleanup]
    public void Cleanup() => _cube.Dispose();
}
