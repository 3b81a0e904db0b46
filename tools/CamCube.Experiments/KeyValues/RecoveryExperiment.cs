using CamCube.Services.KeyValue;

namespace CamCube.Experiments.KeyValues;

/// <summary>A server comes back with an empty disk, or after others have taken its place.</summary>
internal static class RecoveryExperiment
{
    private const int Failing = 13;

    // Bytes that arrive: it fetches.
    private const long Begun = 1_000_000;
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
        Put(cube, values, length);
        cube.Cube.Kill(Failing);
        cube.Cube.Revive(Failing, emptyDisk: true);
        long back = cube.NowNanos,
            arrived = ArrivedAt(cube);
        cube.AwaitUntil(() => ArrivedAt(cube) - arrived > Begun, TimeSpan.FromMinutes(1));
        long began = cube.NowNanos;
        cube.AwaitUntil(() => IsWhole(cube), TimeSpan.FromMinutes(10));
        return new RecoveryResult(began - back, cube.NowNanos - began, ArrivedAt(cube) - arrived);
    }

    // Puts values under keys that one server has, through all servers.
    private static void Put(ValueCube cube, int values, int length)
    {
        List<string> names = [.. cube.KeysOf(Failing).Take(values)];
        List<ValueClient> clients = [];
        for (int rank = 0; rank < cube.Count; rank++)
        {
            string[] own = [.. names.Where((_, i) => i % cube.Count == rank)];
            if (own.Length > 0)
            {
                var client = new ValueClient(cube, rank, "", length, own.Length) { Names = own };
                clients.Add(client);
                client.Start(own.Length);
            }
        }

        cube.AwaitUntil(() => clients.TrueForAll(static c => c.Count == c.Names!.Count), TimeSpan.FromMinutes(10));
    }

    // All that others have, of the groups that it should have, is there.
    private static bool IsWhole(ValueCube cube)
    {
        if (!cube.IsLed())
        {
            return false;
        }

        Coordinate self = cube.Cube.Shape.At(Failing);
        Dictionary<(Coordinate, int), KeyValueGroup> here = cube.StoreOf(Failing)
            .ListGroups()
            .Where(g => g.Members.Contains(self) && g.Away == 0)
            .ToDictionary(static g => (g.Home, g.Sequence));
        return Enumerable
            .Range(0, cube.Count)
            .Where(rank => rank != Failing)
            .SelectMany(rank => cube.StoreOf(rank).ListGroups())
            .Where(g => g.Epoch > 0 && g.Leader == g.Members[0] && g.Members.Contains(self))
            .All(g => here.TryGetValue((g.Home, g.Sequence), out KeyValueGroup own) && own.Applied == g.Applied);
    }

    private static long ArrivedAt(ValueCube cube) =>
        cube.Cube.StatusOf(Failing).Links.Sum(static link => link.ReceivedBytes);
}
