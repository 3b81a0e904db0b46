namespace CamCube.Benchmarks.KeyValues;

/// <summary>The store of one server with one copy beside Redis, in turns, with the same load: CPU of the server's
/// process for each operation.</summary>
internal static class RedisPart
{
    private static readonly (string Name, bool IsSynced, RedisBenchmark Load, string Asked)[] Rows =
    [
        ("get 100 B, memory", false, new RedisBenchmark("get", 200_000, 1), "0.7, stretch 1.0"),
        ("get 100 B, memory, 16 at a time", false, new RedisBenchmark("get", 1_000_000, 16), "0.5, stretch 1.0"),
        ("put 100 B, synced", true, new RedisBenchmark("set", 50_000, 1), "0.7, stretch 1.0"),
    ];

    public static async Task RunAsync(int rounds)
    {
        if (!OwnProcess.IsInstalled("redis-server") || !OwnProcess.IsInstalled("redis-benchmark"))
        {
            Console.WriteLine("redis is not installed: nothing beside it, and nothing to measure with");
            return;
        }

        foreach (bool isSynced in new[] { false, true })
        {
            string folder = Directory.CreateTempSubdirectory("camcube-kv-redis-").FullName;
            try
            {
                using RedisServer peer = RedisServer.StartPeer(folder, isSynced),
                    store = RedisServer.StartStore(folder, isSynced);
                await peer.ReadyAsync();
                await store.ReadyAsync();
                Run(peer, store, isSynced, rounds);
            }
            finally
            {
                Directory.Delete(folder, recursive: true);
            }
        }
    }

    private static void Run(RedisServer peer, RedisServer store, bool isSynced, int rounds)
    {
        if (!isSynced)
        {
            RedisBenchmark.Fill(peer);
            RedisBenchmark.Fill(store);
        }

        foreach ((string name, _, RedisBenchmark load, string asked) in Rows.Where(row => row.IsSynced == isSynced))
        {
            var cpu = new Rounds();
            var rates = new Rounds();
            var late = new Rounds();
            for (int round = -1; round < rounds; round++)
            {
                foreach (RedisServer server in new[] { peer, store })
                {
                    (double micros, double perSecond, double p99) = load.Measure(server);

                    // The first is of programs that have just begun, one of which is compiled meanwhile.
                    string row = $"{name}: {server.Name}{(round < 0 ? ", first" : "")}";
                    cpu.Add(row, micros);
                    rates.Add(row, perSecond / 1e3);
                    late.Add($"{row}, p99", p99);
                }
            }

            cpu.Print("us of CPU each");
            rates.Print("thousand/s");
            late.Print("ms");
            cpu.Ratio($"{name}: for each CPU second, of redis", $"{name}: redis", $"{name}: store", asked);
        }
    }
}
