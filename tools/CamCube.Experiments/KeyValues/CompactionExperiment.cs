using CamCube.Services.KeyValue;

namespace CamCube.Experiments.KeyValues;

/// <summary>Clients put values at a steady rate: over those that are there, so that half of the log is garbage and is
/// compacted all the time, or each under a key of its own, so that nothing is.</summary>
internal static class CompactionExperiment
{
    /// <summary>Bytes of a value.</summary>
    public const int Length = 32 << 10;

    private const int Segment = 4 << 20;
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(10);
    private static readonly TorusShape Shape = new(3, 1, 1);

    /// <summary>Runs it.</summary>
    /// <param name="overwrites">Whether values are put over others.</param>
    /// <param name="clients">Clients of each server.</param>
    /// <param name="keys">Keys of each client.</param>
    /// <param name="every">Time from one put of a client to the next.</param>
    /// <param name="time">How long is measured, once the log is as it stays.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="tick">Called while time passes.</param>
    public static CompactionResult Run(
        bool overwrites,
        int clients,
        int keys,
        TimeSpan every,
        TimeSpan time,
        ulong seed,
        TimeSpan detectionTime,
        Action? tick = null
    )
    {
        var options = new KeyValueOptions { SegmentBytes = Segment };
        using var cube = new ValueCube(Shape, seed, options, detectionTime, true, tick);
        Begin(cube, clients, keys, "first", TimeSpan.Zero, keys, out List<ValueClient> first);
        cube.AwaitUntil(() => first.TrueForAll(c => c.Count == keys), TimeSpan.FromMinutes(10));

        // All of it once more: then there is as much garbage as there ever is.
        string name = overwrites ? "first" : "other";
        Begin(cube, clients, overwrites ? keys : int.MaxValue, name, every, 0, out List<ValueClient> load);
        cube.AwaitUntil(() => load.TrueForAll(c => c.Count >= keys), TimeSpan.FromMinutes(10));
        long from = cube.NowNanos,
            before = Sum(cube, "compacted");
        double most = 0;
        for (long until = from + (time.Ticks * 100); cube.NowNanos < until; )
        {
            cube.Advance(Look);
            for (int rank = 0; rank < cube.Count; rank++)
            {
                most = Math.Max(most, Value(cube, rank, "bytes") / (double)Math.Max(1, Value(cube, rank, "needed")));
            }
        }

        load.ForEach(static c => c.Stop());
        long[] took = [.. load.SelectMany(c => c.Done).Where(d => d.At > from).Select(static d => d.Took).Order()];
        return new CompactionResult(
            took[took.Length / 2],
            took[(int)(took.Length * 0.99)],
            took.Length,
            load.Sum(static c => c.Failed),
            Sum(cube, "compacted") - before,
            most
        );
    }

    private static void Begin(
        ValueCube cube,
        int clients,
        int keys,
        string name,
        TimeSpan every,
        long most,
        out List<ValueClient> begun
    )
    {
        begun = [];
        for (int client = 0; client < cube.Count * clients; client++)
        {
            var one = new ValueClient(cube, client % cube.Count, $"{name}-{client}", Length, keys) { Every = every };
            begun.Add(one);
            one.Start(most);
        }
    }

    private static long Sum(ValueCube cube, string counter) =>
        Enumerable.Range(0, cube.Count).Sum(rank => Value(cube, rank, counter));

    private static long Value(ValueCube cube, int rank, string counter) =>
        cube
            .Cube.StatusOf(rank)
            .Services.Single(static s => s.Name == "kv")
            .Counters.First(c => c.Name == counter)
            .Value;
}
