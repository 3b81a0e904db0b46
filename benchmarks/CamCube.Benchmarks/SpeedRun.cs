using System.Diagnostics;
using System.Globalization;
using CamCube.Runtime.Services;
using CamCube.Simulator;

namespace CamCube.Benchmarks;

/// <summary>Packet hops per CPU second of the simulator with everything on, beside the native yardstick.</summary>
internal static class SpeedRun
{
    public static int Run(string[] args)
    {
        int axis = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 8;
        double millis = args.Length > 1 ? double.Parse(args[1], CultureInfo.InvariantCulture) : 100;
        int services = args.Length > 2 ? int.Parse(args[2], CultureInfo.InvariantCulture) : 3;
        int threads = args.Length > 3 ? int.Parse(args[3], CultureInfo.InvariantCulture) : 1;
        var shape = new TorusShape(axis, axis, axis);
        double mean = 0;
        for (int rank = 1; rank < shape.Count; rank++)
        {
            mean += shape.Distance(default, shape.At(rank));
        }

        mean /= shape.Count - 1;
        var options = new RandomTrafficOptions(mean * 9_014 * 8 / (6 * 0.9) * services);
        ServiceDefinition[] definitions = [.. Enumerable.Range(0, services).Select(i => new ServiceDefinition
        {
            Id = new ServiceId((ushort)(0x0200 + i)), Name = $"traffic-{i}", HeaderLength = 16, Create = a => new RandomTraffic(a.Server, options),
        })];
        using var cube = new SimulatedCube(shape, definitions, new SimulatorOptions { Threads = threads });
        for (int part = 0; part < 4; part++)
        {
            long hops = cube.PacketHops, events = cube.Events, bytes = GC.GetAllocatedBytesForCurrentThread();
            long start = Stopwatch.GetTimestamp();
            TimeSpan began = Environment.CpuUsage.TotalTime;
            cube.Advance(TimeSpan.FromMilliseconds(millis / 4));
            double wall = Stopwatch.GetElapsedTime(start).TotalSeconds;
            double cpu = (Environment.CpuUsage.TotalTime - began).TotalSeconds;
            hops = cube.PacketHops - hops;
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{axis}: {hops / cpu / 1e6:F2} M hops/CPU s, {hops / wall / 1e6:F2} M hops/s, {(cube.Events - events) / (double)hops:F2} events/hop, {(GC.GetAllocatedBytesForCurrentThread() - bytes) / (double)hops:F3} B/hop, {hops / 1e6:F1} M hops, hash {cube.TraceHash:x16}"));
        }

        return 0;
    }
}
