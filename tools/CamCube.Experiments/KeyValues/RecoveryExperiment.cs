using CamCube.Services.KeyValue;

namespace CamCube.Experiments.KeyValues;

/// <summary>A server comes back with an empty disk, or after others have taken its place.</summary>
internal static class RecoveryExperiment
{
    private const int Failing = 13;

    // Bytes that arrive: it fetches.
    private const long Begun = 1_000_000;
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(1.5);
    private static readonly TorusShape Shape = new(3, 3, 3);

    /// <summary>Runs it: values are put until each server has some bytes, one comes back with an empty disk, and takes
    /// all that it should have over its links.</summary>
    /// <param name="values">Values that are put under keys of that server: it has all of them.</param>
    /// <param name="length">Bytes of each.</param>
    /// <param name="hasDisk">Whether the disks take time.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="tick">Called while time passes.</param>
    public static RecoveryResult Run(
        int values,
        int length,
        bool hasDisk,
        ulong seed,
        TimeSpan detectionTime,
        Action? tick = null
    )
    {
        using var cube = new ValueCube(Shape, seed, new KeyValueOptions(), detectionTime, hasDisk, tick);
        Put(cube, [.. cube.KeysOf(Failing).Take(values)], length);

        // Who put them is served no more.
        cube.Advance(Rest);
        cube.Cube.Kill(Failing);
        cube.Cube.Revive(Failing, emptyDisk: true);
        long back = cube.NowNanos,
            arrived = ArrivedAt(cube, Failing);
        cube.AwaitUntil(() => ArrivedAt(cube, Failing) - arrived > Begun, TimeSpan.FromMinutes(1));
        long began = cube.NowNanos;
        cube.AwaitUntil(() => IsWhole(cube, Failing), TimeSpan.FromMinutes(10));
        return new RecoveryResult(began - back, cube.NowNanos - began, ArrivedAt(cube, Failing) - arrived);
    }

    /// <summary>Puts values under some keys, through all servers that run.</summary>
    public static void Put(ValueCube cube, IReadOnlyList<string> names, int length)
    {
        int[] ranks = [.. Enumerable.Range(0, cube.Count).Where(cube.Runs)];
        List<ValueClient> clients = [];
        foreach (int rank in ranks)
        {
            string[] own = [.. names.Where((_, i) => ranks[i % ranks.Length] == rank)];
            if (own.Length > 0)
            {
                var client = new ValueClient(cube, rank, "", length, own.Length) { Names = own };
                clients.Add(client);
                client.Start(own.Length);
            }
        }

        cube.AwaitUntil(() => clients.TrueForAll(static c => c.Count == c.Names!.Count), TimeSpan.FromMinutes(10));
    }

    /// <summary>All that others have, of the groups that a server should have, is there.</summary>
    public static bool IsWhole(ValueCube cube, int server)
    {
        if (!cube.IsLed())
        {
            return false;
        }

        Coordinate self = cube.Cube.Shape.At(server);
        Dictionary<(Coordinate, int), KeyValueGroup> here = cube.StoreOf(server)
            .ListGroups()
            .Where(g => g.Members.Contains(self) && g.Away == 0)
            .ToDictionary(static g => (g.Home, g.Sequence));
        return Enumerable
            .Range(0, cube.Count)
            .Where(rank => rank != server)
            .SelectMany(rank => cube.StoreOf(rank).ListGroups())
            .Where(g => g.Epoch > 0 && g.Leader == g.Members[0] && g.Members.Contains(self))
            .All(g => here.TryGetValue((g.Home, g.Sequence), out KeyValueGroup own) && own.Applied == g.Applied);
    }

    /// <summary>Bytes that a server's links brought it.</summary>
    public static long ArrivedAt(ValueCube cube, int server) =>
        cube.Cube.StatusOf(server).Links.Sum(static link => link.ReceivedBytes);
}
