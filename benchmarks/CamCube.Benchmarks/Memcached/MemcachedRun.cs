using System.Globalization;

namespace CamCube.Benchmarks.Memcached;

/// <summary>
/// <c>camcube memcached</c> beside memcached 1.6.18 on the same core, in alternating rounds: CPU time per operation and latency, 32 connections,
/// 512-byte values, a tenth of the requests stores. Needs Linux, two processors, memcached and a C compiler.
/// </summary>
internal static class MemcachedRun
{
    private const int Connections = 32;
    private const int SetPercent = 10;

    private static readonly Case[] _cases =
    [
        new("TCP, one request at a time", "single", 1, IsUnix: false, Asked: 1.0),
        new("TCP, 32 keys per get", "multiget", 32, IsUnix: false, Asked: 1.5),
        new("TCP, 32 requests in a batch", "pipeline", 32, IsUnix: false, Asked: 5),
        new("Unix socket, one at a time", "single", 1, IsUnix: true, Asked: 1.3),
    ];

    public static int Run(string[] args)
    {
        if (!OperatingSystem.IsLinux() || Environment.ProcessorCount < 2)
        {
            Console.Error.WriteLine("memcached needs Linux and two processors: one for the server, one for the load");
            return 2;
        }

        bool quick = args.Contains("quick");
        int rounds = quick ? 1 : 5, seconds = quick ? 1 : 3;
        string? load = NativeProgram.Compile("memload.c");
        if (load is null)
        {
            Console.Error.WriteLine("memcached needs a C compiler (cc)");
            return 2;
        }

        LiveCubes.PrintMachine();
        Console.WriteLine($"{Connections} connections, 512-byte values, {SetPercent} % stores, one server thread; medians of {rounds} rounds of {seconds} s.");
        Console.WriteLine("server on processor 0, load (benchmarks/native/memload.c) on processor 1; ratio: CPU time of memcached / ours, more is better.");
        Console.WriteLine();
        Console.WriteLine($"{"",-28} {"us/op",8} {"us/op",8} {"ratio",7} {"asked",7}   {"p50 us",15} {"p99 us",15} {"ops/s",17} {"switches/op",13}");
        Console.WriteLine($"{"",-28} {"memc.",8} {"camcube",8}");
        foreach (Case one in _cases)
        {
            using var theirs = MemcachedServer.StartPeer(one.IsUnix);
            using var ours = MemcachedServer.StartOurs(one.IsUnix);
            List<LoadFigure> peer = [], own = [];
            for (int round = 0; round < rounds; round++)
            {
                peer.Add(LoadFigure.Take(load, theirs, one, Connections, seconds, SetPercent));
                own.Add(LoadFigure.Take(load, ours, one, Connections, seconds, SetPercent));
            }

            Print(one, LoadFigure.Median(peer), LoadFigure.Median(own));
        }

        return 0;
    }

    private static void Print(Case one, LoadFigure peer, LoadFigure own) => Console.WriteLine(string.Create(
        CultureInfo.InvariantCulture,
        $"{one.Name,-28} {peer.MicrosPerOperation,8:0.000} {own.MicrosPerOperation,8:0.000} {peer.MicrosPerOperation / own.MicrosPerOperation,7:0.00} {one.Asked,7:0.0}   {Pair(peer.P50Micros, own.P50Micros),15} {Pair(peer.P99Micros, own.P99Micros),15} {Pair(peer.PerSecond, own.PerSecond),17} {peer.SwitchesPerOperation,6:0.000}/{own.SwitchesPerOperation,6:0.000}"));

    private static string Pair(double theirs, double ours) => string.Create(CultureInfo.InvariantCulture, $"{theirs:0}/{ours:0}");

    /// <summary>One kind of load.</summary>
    internal sealed record Case(string Name, string Mode, int Batch, bool IsUnix, double Asked);
}
