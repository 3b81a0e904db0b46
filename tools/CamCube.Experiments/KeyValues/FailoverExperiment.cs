using CamCube.Services.KeyValue;

namespace CamCube.Experiments.KeyValues;

/// <summary>Clients put short values all the time, and a server fails: how long each of them has no answer.</summary>
internal static class FailoverExperiment
{
    private const int Length = 100;
    private static readonly TorusShape Shape = new(3, 3, 3);

    /// <summary>Runs it.</summary>
    /// <param name="leads">The server that fails leads the keys' group; else it is another member.</param>
    /// <param name="keys">Clients, one key each.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="tick">Called while time passes.</param>
    /// <returns>The longest gap of each client, in nanoseconds, the shortest first, and answers other than
    /// Done.</returns>
    public static (List<long> Gaps, long Failed) Run(
        bool leads,
        int keys,
        ulong seed,
        TimeSpan detectionTime,
        Action? tick = null
    )
    {
        using var cube = new ValueCube(Shape, seed, new KeyValueOptions(), detectionTime, true, tick);
        const int Failing = 13;
        List<ValueClient> clients = [];
        for (int number = 0; clients.Count < keys; number++)
        {
            string name = $"key-{number}";
            int place = cube.PlaceOf($"{name}-0", Failing);
            int rank = number % cube.Count;
            if (rank != Failing && (leads ? place == 0 : place > 0))
            {
                clients.Add(new ValueClient(cube, rank, name, Length, 1));
            }
        }

        clients.ForEach(static c => c.Start());
        cube.Advance(TimeSpan.FromMilliseconds(500));
        long from = cube.NowNanos;
        cube.Cube.Kill(Failing);
        cube.Advance(TimeSpan.FromSeconds(4));
        return ([.. clients.Select(c => c.LongestGap(from, cube.NowNanos)).Order()], clients.Sum(static c => c.Failed));
    }
}
