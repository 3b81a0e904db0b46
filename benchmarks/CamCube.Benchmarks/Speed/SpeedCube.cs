using System.Diagnostics;
using CamCube.Runtime.Services;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Benchmarks.Speed;

/// <summary>A simulated cube with everything on, which goes on by slices. One thread owns it.</summary>
internal sealed class SpeedCube : IDisposable
{
    private const int FrameLength = 9_014;
    private const int Services = 3;
    private readonly SimulatedCube _cube;
    private readonly int _threads;

    /// <summary>Builds it and has it warm up.</summary>
    /// <param name="axis">Servers per axis.</param>
    /// <param name="load">Part of what the cables carry.</param>
    /// <param name="threads">1: it runs on one processor.</param>
    /// <param name="warmMillis">Virtual milliseconds before the first slice.</param>
    public SpeedCube(int axis, double load, int threads, double warmMillis)
    {
        _threads = threads;
        var shape = new TorusShape(axis, axis, axis);
        double hops = Enumerable.Range(1, shape.Count - 1).Average(rank => shape.Distance(default, shape.At(rank)));
        var options = new RandomTrafficOptions(hops * FrameLength * 8 / (6 * load) * Services);
        ServiceDefinition[] services =
        [
            .. Enumerable
                .Range(0, Services)
                .Select(i => new ServiceDefinition
                {
                    Id = new ServiceId((ushort)(0x0200 + i)),
                    Name = $"traffic-{i}",
                    HeaderLength = RandomTraffic.HeaderLength,
                    Create = a => new RandomTraffic(a.Server, options),
                }),
        ];
        long empty = GC.GetTotalMemory(forceFullCollection: true);
        _cube = new SimulatedCube(shape, services, new SimulatorOptions { Threads = threads });
        long built = GC.GetTotalMemory(forceFullCollection: true);
        BytesPerServer = (double)(built - empty) / shape.Count;
        Pinned(() => _cube.Advance(TimeSpan.FromMilliseconds(warmMillis)));
        BytesPerPacket = (double)(GC.GetTotalMemory(forceFullCollection: true) - built) / _cube.PacketsOutstanding;
    }

    /// <summary>Managed memory of the cube before there are packets.</summary>
    public double BytesPerServer { get; }

    /// <summary>What came with the packets under way at the end of the warm-up, for each.</summary>
    public double BytesPerPacket { get; }

    /// <summary>Hash of all that happened.</summary>
    public ulong TraceHash => _cube.TraceHash;

    /// <summary>Goes on.</summary>
    /// <param name="millis">Virtual milliseconds.</param>
    public SpeedSlice Slice(double millis)
    {
        SpeedSlice slice = default;
        Pinned(() =>
        {
            long hops = _cube.PacketHops,
                allocated = GC.GetTotalAllocatedBytes(precise: true),
                start = Stopwatch.GetTimestamp();
            TimeSpan cpu = Environment.CpuUsage.TotalTime;
            _cube.Advance(TimeSpan.FromMilliseconds(millis));
            double wall = Stopwatch.GetElapsedTime(start).TotalSeconds,
                used = (Environment.CpuUsage.TotalTime - cpu).TotalSeconds;
            hops = _cube.PacketHops - hops;
            slice = new SpeedSlice(
                hops / used,
                hops / wall,
                (double)(GC.GetTotalAllocatedBytes(precise: true) - allocated) / hops
            );
        });
        return slice;
    }

    public void Dispose() => _cube.Dispose();

    private void Pinned(Action action)
    {
        if (_threads > 1 || !(OperatingSystem.IsLinux() || OperatingSystem.IsWindows()))
        {
            action();
            return;
        }

        using Process self = Process.GetCurrentProcess();
        nint all = self.ProcessorAffinity;
        self.ProcessorAffinity = all & -all;
        try
        {
            action();
        }
        finally
        {
            self.ProcessorAffinity = all;
        }
    }
}
