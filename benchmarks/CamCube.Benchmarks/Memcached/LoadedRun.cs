namespace CamCube.Benchmarks.Memcached;

/// <summary>
/// How far the memory of CamCube.Memcached and of memcached grows at a limit of 1 GiB while 32 connections store in
/// batches, from empty and warmed up: items, tables, buffers, everything.
/// </summary>
internal static class LoadedRun
{
    private const int Megabytes = 1_024,
        Connections = 32,
        Seconds = 15;

    // More than fit, so that it is full and evicts.
    private const string Keys = "4000000";

    public static void Run()
    {
        if (
            !OperatingSystem.IsLinux()
            || !MemcachedServer.HasPeer
            || MemLoad.Create(1, Connections) is not { } brief
            || MemLoad.Create(Seconds, Connections) is not { } load
        )
        {
            Console.WriteLine("under load: needs Linux, memcached and a C compiler");
            return;
        }

        var warm = new LoadCase("warm", "warm-up", "pipeline", 32, null);
        LoadCase full = warm with { SetPercent = 100 };
        foreach (
            (string name, Func<MemcachedServer> start) in new (string, Func<MemcachedServer>)[]
            {
                ("camcube", () => MemcachedServer.StartOurs(isUnix: false, megabytes: Megabytes)),
                ("memcached", () => MemcachedServer.StartPeer(isUnix: false, megabytes: Megabytes)),
            }
        )
        {
            using MemcachedServer server = start();
            brief.Run(server, warm, server.Address, null);
            long before = server.ResidentBytes;
            double stored = load.Run(server, full, server.Address, Keys)[0];
            double growth = (server.ResidentBytes - before) / (double)(Megabytes << 20);
            Console.WriteLine(
                $"{name, -10} full at 1 GiB, {Connections} connections, {stored / 1e6:F0} million stores: "
                    + $"grew by {growth:P1} of it"
            );
        }
    }
}
