using CamCube.Runtime.Cubes;
using CamCube.Services.KeyValue;

namespace CamCube.Experiments.KeyValues;

/// <summary>A server is lost: for so long that others take its part while clients are served, or back before
/// that.</summary>
internal static class ReplacementExperiment
{
    private const int Failing = 13;
    private const int ClientsAtServer = 2;
    private const int ClientKeys = 16;
    private const int ClientBytes = 4_096;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(2);
    private static readonly TimeSpan WarmUp = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan Before = TimeSpan.FromSeconds(1);
    private static readonly TorusShape Shape = new(3, 3, 3);

    /// <summary>It stays away, and others take its part.</summary>
    /// <param name="values">Values that are put under keys of that server.</param>
    /// <param name="length">Bytes of each.</param>
    /// <param name="options">Settings of the store.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="tick">Called while time passes.</param>
    public static ReplacementResult RunLost(
        int values,
        int length,
        KeyValueOptions options,
        ulong seed,
        TimeSpan detectionTime,
        Action? tick = null
    )
    {
        using var cube = new ValueCube(Shape, seed, options, detectionTime, false, tick);
        RecoveryExperiment.Put(cube, [.. cube.KeysOf(Failing).Take(values)], length);
        cube.Cube.Kill(Failing);
        cube.Advance(options.ReplicateAfter - WarmUp - Before - TimeSpan.FromMilliseconds(100));
        List<MixedClient> clients = Begin(cube);
        cube.Advance(WarmUp);
        long began = cube.NowNanos;
        long[] fetched = [.. Of(cube, FetchedBy)],
            given = [.. Of(cube, GivenBy)];
        cube.Advance(Before);
        long until = cube.NowNanos;
        ClientTimes before = ClientTimes.Of(clients, began, until);
        cube.AwaitUntil(() => Of(cube, FetchedBy).Sum() > fetched.Sum(), TimeSpan.FromMinutes(1));
        long from = cube.NowNanos;
        cube.AwaitUntil(() => IsReplaced(cube), TimeSpan.FromMinutes(30));
        until = cube.NowNanos;
        clients.ForEach(static c => c.Stop());
        long[] sinks = [.. Of(cube, FetchedBy).Zip(fetched, static (now, then) => now - then)],
            sources = [.. Of(cube, GivenBy).Zip(given, static (now, then) => now - then)];
        return new ReplacementResult(
            until - from,
            sinks.Sum(),
            sources.Count(bytes => 100 * bytes >= sources.Sum()),
            sinks.Count(bytes => 100 * bytes >= sinks.Sum()),
            before,
            ClientTimes.Of(clients, from, until),
            clients.Sum(static c => c.Failed)
        );
    }

    /// <summary>It comes back with its disk, after some values were changed.</summary>
    /// <param name="values">Values that are put under keys of that server.</param>
    /// <param name="changed">How many of them are put again while it is away.</param>
    /// <param name="length">Bytes of each.</param>
    /// <param name="away">How long it is away.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="tick">Called while time passes.</param>
    /// <returns>Bytes of frames that its links brought it until it had all, and how long that took.</returns>
    public static (long Bytes, long Nanos) RunBack(
        int values,
        int changed,
        int length,
        TimeSpan away,
        ulong seed,
        TimeSpan detectionTime,
        Action? tick = null
    )
    {
        using var cube = new ValueCube(Shape, seed, new KeyValueOptions(), detectionTime, false, tick);
        string[] names = [.. cube.KeysOf(Failing).Take(values)];
        RecoveryExperiment.Put(cube, names, length);
        cube.Cube.Kill(Failing);
        long lost = cube.NowNanos;
        cube.Advance(TimeSpan.FromSeconds(1));
        RecoveryExperiment.Put(cube, names[..changed], length);
        cube.Advance(away - TimeSpan.FromMicroseconds((cube.NowNanos - lost) / 1_000));
        cube.Cube.Revive(Failing);
        long back = cube.NowNanos,
            arrived = RecoveryExperiment.ArrivedAt(cube, Failing);
        cube.AwaitUntil(() => RecoveryExperiment.IsWhole(cube, Failing), TimeSpan.FromMinutes(10));
        return (RecoveryExperiment.ArrivedAt(cube, Failing) - arrived, cube.NowNanos - back);
    }

    private static List<MixedClient> Begin(ValueCube cube)
    {
        List<MixedClient> clients = [];
        for (int rank = 0; rank < cube.Count; rank++)
        {
            for (int client = 0; client < ClientsAtServer && cube.Runs(rank); client++)
            {
                clients.Add(new MixedClient(cube, rank, $"mixed-{rank}-{client}", ClientBytes, ClientKeys, Pause));
            }
        }

        clients.ForEach(static c => c.Start());
        return clients;
    }

    // Every group is led, has all its members, and the one that is lost is none of them.
    private static bool IsReplaced(ValueCube cube)
    {
        Coordinate lost = cube.Cube.Shape.At(Failing);
        return Enumerable
            .Range(0, cube.Count)
            .Where(cube.Runs)
            .SelectMany(rank => cube.StoreOf(rank).ListGroups().Select(group => (rank, group)))
            .GroupBy(static known => (known.group.Home, known.group.Sequence))
            .All(same =>
            {
                uint epoch = same.Max(static known => known.group.Epoch);
                return same.Any(known =>
                    known.group.Epoch == epoch
                    && known.group.Leader == cube.Cube.Shape.At(known.rank)
                    && known.group.Away == 0
                    && !known.group.Members.Contains(lost)
                );
            });
    }

    private static IEnumerable<long> Of(ValueCube cube, Func<ValueCube, int, long> counted) =>
        Enumerable.Range(0, cube.Count).Select(rank => cube.Runs(rank) ? counted(cube, rank) : 0);

    private static long FetchedBy(ValueCube cube, int rank) =>
        Counted(cube, rank, "fetched.bytes") + Counted(cube, rank, "fetched.states.bytes");

    private static long GivenBy(ValueCube cube, int rank) => Counted(cube, rank, "given.bytes");

    private static long Counted(ValueCube cube, int rank, string name) =>
        cube
            .Cube.StatusOf(rank)
            .Services.SelectMany(static s => s.Counters)
            .Where(c => c.Name == name)
            .Sum(static c => c.Value);
}
