using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>
/// A process of three is killed while 50 clients write through the other two: how long writes of a client wait, where
/// the killed one led and where it only followed; three servers of the store in namespaces, three of etcd on loopback.
/// All processes share this machine's processors.
/// </summary>
internal static class FailoverPart
{
    private const int Clients = 50;
    private static readonly TimeSpan Before = TimeSpan.FromSeconds(3),
        After = TimeSpan.FromSeconds(8);

    public static async Task RunAsync(int rounds)
    {
        bool hasEtcd = OwnProcess.IsInstalled("etcd");
        if (!hasEtcd)
        {
            Console.WriteLine("etcd is not installed: nothing beside it");
        }

        var leader = new List<(double Own, double Peer)>();
        var member = new List<(double Own, double Peer)>();
        for (int round = 0; round < rounds; round++)
        {
            (double led, double followed) = await StoreAsync(round);
            double etcdLed = hasEtcd ? await EtcdAsync(killsLeader: true) : double.NaN,
                etcdFollowed = hasEtcd ? await EtcdAsync(killsLeader: false) : double.NaN;
            leader.Add((led, etcdLed));
            member.Add((followed, etcdFollowed));
        }

        Say("leader killed", leader);
        Say("member killed", member);
    }

    private static void Say(string what, List<(double Own, double Peer)> all) =>
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{what}: longest wait of a client {Median(all.Select(one => one.Own)):0.000} s "
                    + $"(worst {all.Max(one => one.Own):0.000}), etcd {Median(all.Select(one => one.Peer)):0.000} s "
                    + $"(worst {all.Max(one => one.Peer):0.000}), {all.Count} rounds"
            )
        );

    private static double Median(IEnumerable<double> all)
    {
        double[] sorted = [.. all.Order()];
        return sorted[sorted.Length / 2];
    }

    // Of a key the first server leads while all are there: the first of the killed one's clients and of the others.
    private static async Task<(double Led, double Followed)> StoreAsync(int round)
    {
        using StoreProcesses store = await StoreProcesses.StartAsync(round, "data");
        bool[] isLed =
        [
            .. Enumerable.Range(0, Clients).Select(client => Key.OfName(KeyOf(client)).HomeIn(store.Shape).Z == 0),
        ];
        IReadOnlyList<double> gaps = await WaitAsync(
            (client, cancel) => store.WriteAsync(1 + (client % 2), KeyOf(client), cancel),
            () => ProcessSignals.Send(store.State.Servers[0].Process!, 9)
        );
        return (gaps.Where((_, client) => isLed[client]).Max(), gaps.Where((_, client) => !isLed[client]).Max());
    }

    private static async Task<double> EtcdAsync(bool killsLeader)
    {
        string folder = Directory.CreateTempSubdirectory("camcube-etcd-").FullName;
        try
        {
            using var cluster = new EtcdCluster(folder);
            await OwnProcess.UntilAsync("etcd", () => cluster.PutAsync(0, "ready", default));
            int leader = await cluster.LeaderAsync(),
                killed = killsLeader ? leader : (leader + 1) % EtcdCluster.Count;
            Task<bool> write(int client, CancellationToken cancel) =>
                cluster.PutAsync((killed + 1 + client % 2) % EtcdCluster.Count, KeyOf(client), cancel);
            return (await WaitAsync(write, () => cluster.Kill(killed))).Max();
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static async Task<IReadOnlyList<double>> WaitAsync(
        Func<int, CancellationToken, Task<bool>> write,
        Action kill
    )
    {
        await using var clients = new WriteGaps(Clients, write);
        await Task.Delay(Before);
        clients.Reset();
        kill();
        await Task.Delay(After);
        return clients.Longest();
    }

    private static string KeyOf(int client) => string.Create(CultureInfo.InvariantCulture, $"client-{client}");
}
