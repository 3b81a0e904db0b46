using System.Globalization;

namespace CamCube.Benchmarks.Memcached;

/// <summary>
/// CamCube.Memcached beside memcached 1.6.18 on the same core, in alternating rounds: CPU time per operation and
/// latency, 32 connections, 512-byte values, a tenth of the requests stores; and a cube of 27 servers in one process
/// under such load on all its ports. Needs Linux, two processors, memcached and a C compiler, and the builds of
/// tools/CamCube.Memcached and src/CamCube.Host.
/// </summary>
internal static class MemcachedRun
{
    private const int Connections = 32;

    // While they go on the runtime compiles what runs often, on the server's processor.
    private const int WarmSeconds = 4;
    private const string CubeWord = "cube";

    private static readonly LoadCase[] Cases =
    [
        new("single", "TCP, one request at a time", "single", 1, 1.0),
        new("multiget", "TCP, 32 keys per get", "multiget", 32, 1.5),
        new("pipeline", "TCP, 32 requests in a batch", "pipeline", 32, 5),
        new("unix", "Unix socket, one at a time", "single", 1, 1.3) { IsUnix = true },
        new("threads", "TCP, one at a time, -t 2", "single", 1, 1.0) { Threads = 2 },
        new("forwarded", "TCP, root one hop away", "single", 1, 0.5) { IsForwarded = true },
    ];

    public static int Run(string[] args)
    {
        if (!OperatingSystem.IsLinux() || Environment.ProcessorCount < 2 || !MemcachedServer.HasPeer)
        {
            Console.Error.WriteLine(
                "memcached needs Linux, memcached and two processors: one for the server, one for the load"
            );
            return 2;
        }

        bool quick = args.Contains("quick");
        string[] words = [.. args.Where(word => word != "quick")];
        string? unknown = words.FirstOrDefault(word => word != CubeWord && Cases.All(one => one.Word != word));
        int rounds = quick ? 1 : 15,
            seconds = 1;
        if (unknown is not null || MemLoad.Create(seconds, Connections) is not { } load)
        {
            string all = string.Join(", ", Cases.Select(one => one.Word));
            Console.Error.WriteLine(
                unknown is null
                    ? "memcached needs a C compiler (cc)"
                    : $"'{unknown}' is none of: quick, {all}, {CubeWord}"
            );
            return 2;
        }

        LiveCubes.PrintMachine();
        Console.WriteLine(
            $"{Connections} connections, 512-byte values, a tenth stores; medians of {rounds} rounds of {seconds} s "
                + $"after {WarmSeconds} s that are not counted."
        );
        Console.WriteLine(
            "one server thread: server on processor 0, load (benchmarks/native/memload.c) on processor 1; "
                + "else both on both."
        );
        Console.WriteLine(
            "ratio: CPU time of memcached / ours of rounds beside each other, median (quartiles); more is better."
        );
        Console.WriteLine();
        Console.WriteLine(
            $"{"", -28} {"us/op", 8} {"us/op", 8} {"ratio", -18} {"asked", 5}   {"p50 us", 15} {"p99 us", 15} "
                + $"{"ops/s", 17} {"switches/op", 13}"
        );
        Console.WriteLine($"{"", -28} {"memc.", 8} {"camcube", 8}");
        foreach (LoadCase one in Cases.Where(one => words.Length == 0 || words.Contains(one.Word)))
        {
            Compare(load, one, rounds);
        }

        if (words.Length == 0 || words.Contains(CubeWord))
        {
            CubeLoadRun.Run(quick ? 1 : 5, quick ? 1 : 3);
        }

        return 0;
    }

    private static void Compare(MemLoad load, LoadCase one, int rounds)
    {
        var pair = new TorusShape(2, 1, 1);
        using KeyFile? keys = one.IsForwarded ? new KeyFile(pair, pair.At(1)) : null;
        using var theirs = MemcachedServer.StartPeer(one.IsUnix, one.Threads, processors: one.Processors);
        using MemcachedServer ours = one.IsForwarded
            ? MemcachedServer.StartHost(
                pair,
                one.Processors,
                "CamCube:Services:cache:DefaultReplicas=0",
                "CamCube:Simulator:SpinMicros=0"
            )
            : MemcachedServer.StartOurs(one.IsUnix, one.Threads, processors: one.Processors);
        string address = one.IsForwarded ? ours.Address.Split('-')[0] : ours.Address;
        List<LoadFigure> peer = [],
            own = [];

        MemLoad warm = load.Lasting(WarmSeconds);
        LoadFigure.Take(warm, theirs, one, theirs.Address, keys?.Path);
        LoadFigure.Take(warm, ours, one, address, keys?.Path);
        for (int round = 0; round < rounds; round++)
        {
            // Each is the first as often as the second.
            if (round % 2 == 0)
            {
                peer.Add(LoadFigure.Take(load, theirs, one, theirs.Address, keys?.Path));
            }

            own.Add(LoadFigure.Take(load, ours, one, address, keys?.Path));
            if (round % 2 != 0)
            {
                peer.Add(LoadFigure.Take(load, theirs, one, theirs.Address, keys?.Path));
            }
        }

        Print(one, LoadFigure.Median(peer), LoadFigure.Median(own), LoadFigure.Ratio(peer, own));
    }

    private static void Print(
        LoadCase one,
        LoadFigure peer,
        LoadFigure own,
        (double Median, double Low, double High) ratio
    )
    {
        string asked = one.Asked is { } bound ? bound.ToString("0.0", CultureInfo.InvariantCulture) : "-";
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{one.Name, -28} {peer.MicrosPerOperation, 8:0.000} {own.MicrosPerOperation, 8:0.000} "
                    + $"{$"{ratio.Median:0.00} ({ratio.Low:0.00}-{ratio.High:0.00})", -18} {asked, 5}   "
                    + $"{Pair(peer.P50Micros, own.P50Micros), 15} "
                    + $"{Pair(peer.P99Micros, own.P99Micros), 15} {Pair(peer.PerSecond, own.PerSecond), 17} "
                    + $"{peer.SwitchesPerOperation, 6:0.000}/{own.SwitchesPerOperation, 6:0.000}"
            )
        );
    }

    private static string Pair(double theirs, double ours) =>
        string.Create(CultureInfo.InvariantCulture, $"{theirs:0}/{ours:0}");
}
