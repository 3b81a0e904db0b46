using System.Globalization;

namespace CamCube.Benchmarks.Memcached;

/// <summary>27 servers in one process, simulated cables, live, and load on the ports of all: requests per second, hops
/// and latency.</summary>
internal static class CubeLoadRun
{
    private const int ConnectionsPerServer = 4;
    private static readonly LoadCase One = new("cube", "27 servers, all ports", "single", 1, null);

    public static void Run(int rounds, int seconds)
    {
        var shape = new TorusShape(3, 3, 3);
        MemLoad load = MemLoad.Create(seconds, ConnectionsPerServer * shape.Count)!;
        Console.WriteLine();
        Console.WriteLine(
            $"27 servers (3x3x3) in one process, {load.Connections} connections over all ports, "
                + $"one request at a time, k extra keys:"
        );
        foreach (int replicas in new[] { 0, 2 })
        {
            string setting = string.Create(
                CultureInfo.InvariantCulture,
                $"CamCube:Services:cache:DefaultReplicas={replicas}"
            );
            using var host = MemcachedServer.StartHost(shape, One.Processors, setting);
            List<LoadFigure> figures = [LoadFigure.Take(load, host, One, host.Address)];
            int port = int.Parse(host.Address.Split('-')[0], CultureInfo.InvariantCulture);
            (double Reads, double Hops) before = CubeFigure.Hops(port);
            for (int round = 1; round < rounds; round++)
            {
                figures.Add(LoadFigure.Take(load, host, One, host.Address));
            }

            (double Reads, double Hops) after = CubeFigure.Hops(port);
            LoadFigure middle = LoadFigure.Median(figures);
            double hops =
                rounds == 1 ? after.Hops / after.Reads : (after.Hops - before.Hops) / (after.Reads - before.Reads);
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"k={replicas}: {middle.PerSecond:0} requests/s, {middle.MicrosPerOperation:0.00} us CPU per "
                        + $"request, {hops:0.00} hops per read, "
                        + $"p50 {middle.P50Micros:0} us, p99 {middle.P99Micros:0} us"
                )
            );
        }
    }
}
