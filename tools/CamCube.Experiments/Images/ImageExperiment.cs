using CamCube.Experiments.KeyValues;
using CamCube.Services.Images;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Simulated;

namespace CamCube.Experiments.Images;

/// <summary>Every server of a cube puts pictures, some at a time (HPDC §5.3): the original goes to the server of its
/// name, its thumbnail is made there and cached, three servers keep the original.</summary>
internal static class ImageExperiment
{
    private static readonly TorusShape Shape = new(3, 3, 3);

    /// <summary>Servers.</summary>
    public static int Servers => Shape.Count;

    /// <summary>How long a worker takes for the mean picture.</summary>
    public static TimeSpan WorkerTime =>
        SimulatedPictures.CostOf(
            new PictureHeader(PictureFormat.Jpeg, MadePictures.PixelsOf(MadePictures.MeanBytes), 1, 1)
        );

    /// <summary>
    /// The same over a switch (<c>Shim=Switch</c>), as a closed form: a port of one link's rate for each server, and
    /// all shared out perfectly. A picture goes into the server of its name, unless that puts it, waits for the worker,
    /// and goes into two others through the port of that server; of all of this nothing is in another's way until the
    /// ports are full.
    /// </summary>
    /// <param name="atATime">Pictures, all servers together.</param>
    public static double SwitchBitsPerSecond(int atATime)
    {
        double bits = MadePictures.MeanBytes * 8.0,
            seconds = WorkerTime.TotalSeconds + (bits * InsertExperiment.CopiesIn / ValueCube.LinkBitsPerSecond);
        return Math.Min(atATime * bits / seconds, InsertExperiment.SwitchBitsPerSecond);
    }

    /// <summary>Runs it.</summary>
    /// <param name="clients">At each server, each with one picture at a time.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="hasDisk">Whether the disks take time.</param>
    /// <param name="warmUp">What does not count.</param>
    /// <param name="time">What counts.</param>
    /// <param name="tick">Called while time passes.</param>
    public static ImageResult Run(
        int clients,
        ulong seed,
        TimeSpan detectionTime,
        bool hasDisk,
        TimeSpan warmUp,
        TimeSpan time,
        Action? tick = null
    )
    {
        using var cube = new ImagesCube(Shape, seed, detectionTime, hasDisk, tick);
        List<ImageClient> all = Begin(cube, clients);
        cube.Below.Advance(warmUp);
        long from = cube.Below.NowNanos;
        cube.Below.Advance(time);
        return Sum(all, from, cube.Below.NowNanos);
    }

    /// <summary>The same while servers fail, one after the other. Who asked one of them goes on at others, so as many
    /// pictures as before are on their way.</summary>
    /// <param name="clients">At each server, at the beginning.</param>
    /// <param name="failing">Ranks of those that fail, in order.</param>
    /// <param name="interval">Between two of them.</param>
    /// <param name="seed">Of the cube.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="tick">Called while time passes, with the part that is done.</param>
    public static ImageFailures RunFailures(
        int clients,
        IReadOnlyList<int> failing,
        TimeSpan interval,
        ulong seed,
        TimeSpan detectionTime,
        Action<double>? tick = null
    )
    {
        const int PointsPerInterval = 4;
        int done = 0,
            steps = (failing.Count + 1) * PointsPerInterval;
        using var cube = new ImagesCube(
            Shape,
            seed,
            detectionTime,
            false,
            () => tick?.Invoke((double)done / (steps + 1))
        );
        List<ImageClient> all = Begin(cube, clients);
        List<(double, int, double)> points = FailureCourse.Run(
            cube.Below,
            failing,
            interval,
            PointsPerInterval,
            (from, until) => Sum(all, from, until).BitsPerSecond,
            (lost, there) => Move(cube, all, lost, there),
            points => done = points
        );

        // Two of the three that have it answer: a majority. The store promises no more.
        string[] kept =
        [
            .. all.SelectMany(static one => one.Done)
                .Where(one => one.Places.Count(cube.Below.Runs) >= 2)
                .Select(static one => one.Name),
        ];
        return new ImageFailures(points, all.Sum(static one => one.Done.Count), kept.Length, Readable(cube, kept));
    }

    private static int Readable(ImagesCube cube, string[] names)
    {
        int reader = Enumerable.Range(0, Servers).First(cube.Below.Runs),
            readable = 0,
            ended = 0;
        cube.ServerOf(reader)
            .Loop.Run(async () =>
            {
                foreach (string name in names)
                {
                    ImageAnswer answer = await cube.StoreOf(reader).FindAsync(name);
                    readable += answer.Status == ImageStatus.Done ? 1 : 0;
                    ended++;
                }
            });
        cube.Below.AwaitUntil(() => ended == names.Length, TimeSpan.FromMinutes(10));
        return readable;
    }

    private static void Move(ImagesCube cube, List<ImageClient> all, int lost, IReadOnlyList<int> there)
    {
        int left = all.Count(c => c.Rank == lost);
        for (int moved = 0; moved < left; moved++)
        {
            all.Add(Begin(cube, there[moved % there.Count], all.Count));
        }
    }

    private static ImageClient Begin(ImagesCube cube, int rank, int number)
    {
        var client = new ImageClient(cube, rank, number);
        client.Start();
        return client;
    }

    private static List<ImageClient> Begin(ImagesCube cube, int clients)
    {
        List<ImageClient> all = [];
        for (int rank = 0; rank < Servers; rank++)
        {
            for (int client = 0; client < clients; client++)
            {
                all.Add(Begin(cube, rank, client));
            }
        }

        return all;
    }

    private static ImageResult Sum(List<ImageClient> clients, long from, long until)
    {
        var done = clients.SelectMany(static c => c.Done).Where(d => d.At > from && d.At <= until).ToList();
        long[] took = [.. done.Select(static d => d.Took).Order()];
        return new ImageResult(
            done.Sum(static d => (long)d.Bytes) * 8e9 / (until - from),
            took.Length > 0 ? took[took.Length / 2] : 0,
            took.Length > 0 ? took[^1] : 0,
            clients.Sum(static c => c.Failed),
            clients.Sum(static c => c.Pending)
        );
    }
}
