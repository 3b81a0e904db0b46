using CamCube.Services.KeyValue;

namespace CamCube.Experiments.KeyValues;

/// <summary>A server comes back with an empty disk, or after others have taken its place.</summary>
internal static class RecoveryExperiment
{
    private const int Failing = 13;
    private static readonly TorusShape Shape = new(3, 3, 3);

    /// <summary>Runs it: values are put until each server has some bytes, one comes back with an empty disk, and takes
    /// all that it should have over its links.</summary>
    /// <param name="valuesPerServer">Values that each server puts: each server gets three times as many.</param>
    /// <param name="length">Bytes of each.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="tick">Called while time passes.</param>
    public static RecoveryResult Run(
        int valuesPerServer,
        int length,
        ulong seed,
        TimeSpan detectionTime,
        Action? tick = null
    )
    {
        using var cube = new ValueCube(Shape, seed, new KeyValueOptions(), detectionTime, false, tick);
        List<ValueClient> clients = [];
        for (int rank = 0; rank < cube.Count; rank++)
        {
            var client = new ValueClient(cube, rank, $"{rank}", length, int.MaxValue);
            clients.Add(client);
            client.Start(valuesPerServer);
        }

        cube.AwaitUntil(() => clients.TrueForAll(c => c.Count == valuesPerServer), TimeSpan.FromMinutes(10));
        cube.Cube.Kill(Failing);
        cube.Cube.Revive(Failing, emptyDisk: true);
        long back = cube.NowNanos,
            arrived = ArrivedAt(cube);
        cube.AwaitUntil(() => IsWhole(cube), TimeSpan.FromMinutes(10));
        return new RecoveryResult(cube.NowNanos - back, ArrivedAt(cube) - arrived);
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
