using CamCube.Services.KeyValue;

namespace CamCube.Experiments.KeyValues;

/// <summary>Every server of a cube puts values of the length of a photograph, some at a time (HPDC §5.3: 1.47 MB, 3
/// copies).</summary>
internal static class InsertExperiment
{
    /// <summary>Mean length of a value, in bytes.</summary>
    public const int Length = 1_470_000;

    private static readonly TorusShape Shape = new(3, 3, 3);

    /// <summary>
    /// What a switch with a port of one link's rate for each server could do at most, if it shared out all perfectly: a
    /// value goes into the first of its servers, unless that is the one that puts it, and from there into two others.
    /// </summary>
    public static double SwitchBitsPerSecond => Shape.Count * ValueCube.LinkBitsPerSecond / CopiesIn;

    /// <summary>How often a value goes into a server from the switch.</summary>
    public static double CopiesIn => 2 + ((Shape.Count - 1.0) / Shape.Count);

    /// <summary>Runs it.</summary>
    /// <param name="clients">At each server, each with one value at a time.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="hasDisk">Whether the disks take time.</param>
    /// <param name="warmUp">What does not count.</param>
    /// <param name="time">What counts.</param>
    /// <param name="tick">Called while time passes.</param>
    public static InsertResult Run(
        int clients,
        ulong seed,
        TimeSpan detectionTime,
        bool hasDisk,
        TimeSpan warmUp,
        TimeSpan time,
        Action? tick = null
    )
    {
        using var cube = new ValueCube(Shape, seed, new KeyValueOptions(), detectionTime, hasDisk, tick);
        List<ValueClient> all = Begin(cube, clients);
        cube.Advance(warmUp);
        long from = cube.NowNanos;
        cube.Advance(time);
        return Sum(all, from, cube.NowNanos);
    }

    /// <summary>The same while servers fail, one after the other. Who asked one of them goes on at others, so as many
    /// values as before are on their way.</summary>
    /// <param name="clients">At each server, at the beginning.</param>
    /// <param name="failing">Ranks of those that fail, in order.</param>
    /// <param name="interval">Between two of them.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="tick">Called while time passes, with the part that is done.</param>
    /// <returns>For each of some points in time, in seconds after the first puts: servers that have failed, and bits
    /// per second.</returns>
    public static List<(double Seconds, int Failed, double BitsPerSecond)> RunFailures(
        int clients,
        IReadOnlyList<int> failing,
        TimeSpan interval,
        ulong seed,
        TimeSpan detectionTime,
        Action<double>? tick = null
    )
    {
        const int PointsPerInterval = 8;
        int done = 0,
            steps = (failing.Count + 1) * PointsPerInterval;
        using var cube = new ValueCube(
            Shape,
            seed,
            new KeyValueOptions(),
            detectionTime,
            false,
            () => tick?.Invoke((double)done / steps)
        );
        List<ValueClient> all = Begin(cube, clients);
        return FailureCourse.Run(
            cube,
            failing,
            interval,
            PointsPerInterval,
            (from, until) => Sum(all, from, until).BitsPerSecond,
            (lost, there) => Move(cube, all, lost, there),
            points => done = points
        );
    }

    private static void Move(ValueCube cube, List<ValueClient> all, int lost, IReadOnlyList<int> there)
    {
        int moved = 0;
        foreach (ValueClient client in all.Where(c => c.Rank == lost).ToArray())
        {
            all.Add(Begin(cube, there[moved % there.Count], $"{lost}-{moved}-{all.Count}"));
            moved++;
        }
    }

    private static ValueClient Begin(ValueCube cube, int rank, string name)
    {
        var client = new ValueClient(cube, rank, name, Length, int.MaxValue) { MovesOn = true };
        client.Start();
        return client;
    }

    private static List<ValueClient> Begin(ValueCube cube, int clients)
    {
        List<ValueClient> all = [];
        for (int rank = 0; rank < cube.Count; rank++)
        {
            for (int client = 0; client < clients; client++)
            {
                all.Add(Begin(cube, rank, $"{rank}-{client}"));
            }
        }

        return all;
    }

    private static InsertResult Sum(List<ValueClient> clients, long from, long until)
    {
        List<long> took =
        [
            .. clients
                .SelectMany(static c => c.Done)
                .Where(d => d.At > from && d.At <= until)
                .Select(static d => d.Took)
                .Order(),
        ];
        return new InsertResult(
            took.Count * Length * 8e9 / (until - from),
            took.Count > 0 ? took[took.Count / 2] : 0,
            took.Count > 0 ? took[^1] : 0,
            clients.Sum(static c => c.Failed)
        );
    }
}
