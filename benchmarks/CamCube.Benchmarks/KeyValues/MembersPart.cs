using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using CamCube.Loads.Choosing;
using CamCube.Loads.Measuring;
using CamCube.Loads.Operations;
using CamCube.Loads.Resp;
using CamCube.Loads.Runs;
using CamCube.Loads.Settings;
using CamCube.Testbed;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>
/// The store with three copies as three processes beside three members of etcd, on disks of one file system, in turns:
/// CPU of all servers for each put and each get of the newest value, and how long a put takes, alone and at etcd's full
/// rate. All processes, and the load, share this machine's processors.
/// </summary>
internal static class MembersPart
{
    private const int ValueBytes = 1_024;
    private static readonly LoadOptions Load = new()
    {
        Workload = new("put", new((OperationKind.Put, 1)), KeyDistribution.Uniform),
        Records = 2_000,
        ValueLength = ValueBytes,
        Connections = 48,
        Time = TimeSpan.FromSeconds(5),
        Patience = TimeSpan.FromSeconds(10),
    };
    private static readonly Workload Gets = new("get", new((OperationKind.Get, 1)), KeyDistribution.Uniform);

    public static async Task RunAsync(int rounds)
    {
        string folder = Directory.CreateTempSubdirectory("camcube-kv-members-").FullName;
        try
        {
            string data = Path.Combine(folder, "data");
            using StoreProcesses store = await StoreProcesses.StartAsync(0, data);
            bool speaksRedis = await SpeaksRedisAsync(store);
            Console.WriteLine($"the store is asked {(speaksRedis ? "in Redis' protocol" : "over HTTP")}");
            using EtcdCluster? etcd = OwnProcess.IsInstalled("etcd") ? new EtcdCluster(folder) : null;
            if (etcd is null)
            {
                Console.WriteLine("etcd is not installed: nothing beside it");
            }
            else
            {
                await OwnProcess.UntilAsync("etcd", () => etcd.PutAsync(0, "ready", default));
            }

            await RunAsync(new MembersLoad(store, speaksRedis, etcd), folder, rounds);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static async Task RunAsync(MembersLoad members, string folder, int rounds)
    {
        Rounds cpu = new(),
            rates = new(),
            times = new();
        foreach (string who in members.Names)
        {
            await members.RunAsync(who, Load, LoadPhase.Load);
        }

        for (int round = -1; round < rounds; round++)
        {
            // The first is of programs that have just begun, one of which is compiled meanwhile.
            string first = round < 0 ? ", first" : "";
            double full = 0;
            foreach (string who in members.Names.Reverse())
            {
                (LoadPhaseResult puts, double put) = await members.RunAsync(who, Load, LoadPhase.Run);
                OperationRow row = puts.Rows[0];
                full = who == MembersLoad.Peer ? row.PerSecond : full;
                cpu.Add($"put 1 KiB: {who}{first}", put);
                rates.Add($"put 1 KiB: {who}{first}", row.PerSecond);
                times.Add($"put 1 KiB, p99: {who}{first}", row.P99Micros / 1e3);
                (LoadPhaseResult gets, double get) = await members.RunAsync(
                    who,
                    Load with
                    {
                        Workload = Gets,
                    },
                    LoadPhase.Run
                );
                cpu.Add($"get 1 KiB: {who}{first}", get);
                rates.Add($"get 1 KiB: {who}{first}", gets.Rows[0].PerSecond);
                times.Add($"get 1 KiB, p99: {who}{first}", gets.Rows[0].P99Micros / 1e3);
                LoadOptions idle = Load with { Connections = 1, Time = TimeSpan.FromSeconds(2) };
                (LoadPhaseResult alone, _) = await members.RunAsync(who, idle, LoadPhase.Run);
                times.Add($"put alone, p50: {who}{first}", alone.Rows[0].P50Micros / 1e3);
            }

            if (full > 0)
            {
                (LoadPhaseResult same, _) = await members.RunAsync(
                    MembersLoad.Store,
                    Load with
                    {
                        Rate = full,
                    },
                    LoadPhase.Run
                );
                times.Add($"put 1 KiB at etcd's full rate, p99: store{first}", same.Rows[0].P99Micros / 1e3);
            }

            times.Add($"sync of 4 KiB, p50{first}", SyncMillis(folder));
        }

        cpu.Print("us of CPU each");
        rates.Print("/s");
        times.Print("ms");
        cpu.Ratio("put: for each CPU second, of etcd", "put 1 KiB: etcd", "put 1 KiB: store", "3, stretch 6");
        cpu.Ratio("get: for each CPU second, of etcd", "get 1 KiB: etcd", "get 1 KiB: store", "5, stretch 8");
        times.Ratio(
            "put: p99 at etcd's full rate, to etcd's",
            "put 1 KiB at etcd's full rate, p99: store",
            "put 1 KiB, p99: etcd",
            "at most 1"
        );
        times.Ratio("put alone: p50 in syncs", "put alone, p50: store", "sync of 4 KiB, p50", "at most 2 and 1 ms");
    }

    // What a disk takes at least for what is written once, as the median of some.
    private static double SyncMillis(string folder)
    {
        const int Syncs = 200;
        double[] millis = new double[Syncs];
        byte[] bytes = new byte[4 << 10];
        using var file = new FileStream(Path.Combine(folder, "synced"), FileMode.Create, FileAccess.Write);
        for (int i = 0; i < Syncs; i++)
        {
            long began = Stopwatch.GetTimestamp();
            file.Write(bytes);
            file.Flush(flushToDisk: true);
            millis[i] = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
        }

        return millis.Order().ElementAt(Syncs / 2);
    }

    private static async Task<bool> SpeaksRedisAsync(StoreProcesses store)
    {
        using Socket socket = store.SocketIn(0);
        try
        {
            await socket.ConnectAsync(IPAddress.Loopback, StoreProcesses.RedisPort);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
