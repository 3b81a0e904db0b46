using CamCube.Experiments.KeyValues;
using CamCube.Services.Images;
using CamCube.Services.KeyValue;

namespace CamCube.Experiments.Images;

/// <summary>
/// Every server of a cube looks up thumbnails of images that are drawn evenly from all, some at a time (HPDC §5.3).
/// The originals are as long as the thumbnails: variants are what the cache answers, originals what a store without a
/// cache would have thumbnails as, on its disks.
/// </summary>
internal sealed class LookupExperiment : IDisposable
{
    /// <summary>Bytes of a thumbnail.</summary>
    public const int ThumbnailBytes = 3_500;

    private const int Writers = 8;

    // What was put into a group lately is in memory, 256 KiB of it by default. That is more than all images have here,
    // as they are as short as thumbnails, and little of a store with pictures of megabytes, whose disks are asked.
    private const int LatelyPut = 4 << 10;
    private static readonly TorusShape Shape = new(3, 3, 3);
    private readonly ImagesCube _cube;
    private readonly string[] _images;
    private readonly ulong _seed;
    private int _clients;

    /// <summary>A cube that has these images, and their thumbnails in its cache.</summary>
    /// <param name="images">How many.</param>
    /// <param name="seed">Of the cube, and of what is drawn.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="tick">Called while time passes.</param>
    public LookupExperiment(int images, ulong seed, TimeSpan detectionTime, Action? tick = null)
    {
        _seed = seed;
        _images = [.. Enumerable.Range(0, images).Select(static i => $"image-{i}")];
        _cube = new ImagesCube(Shape, seed, detectionTime, true, tick, new KeyValueOptions { TailBytes = LatelyPut });
        Store();
    }

    /// <summary>Servers.</summary>
    public static int Servers => Shape.Count;

    /// <summary>
    /// Lookups per second over a switch, as a closed form: a port of one link's rate for each server, all shared out
    /// perfectly. A thumbnail goes out of the port of its server and into that of who asked, unless that is the same
    /// one, and waits for nothing but its own bytes until the ports are full; questions take no time.
    /// </summary>
    /// <param name="atATime">Lookups, all servers together.</param>
    public static double SwitchPerSecond(int atATime)
    {
        double remote = (Shape.Count - 1.0) / Shape.Count,
            port = ThumbnailBytes * 8.0 / ValueCube.LinkBitsPerSecond;
        return Math.Min(atATime / (2 * port * remote), Shape.Count / (port * remote));
    }

    /// <summary>Looks up.</summary>
    /// <param name="clients">At each server, each with one lookup at a time.</param>
    /// <param name="asksForVariants">What the cache has; else originals.</param>
    /// <param name="warmUp">What does not count.</param>
    /// <param name="time">What counts.</param>
    public LookupResult Run(int clients, bool asksForVariants, TimeSpan warmUp, TimeSpan time)
    {
        List<LookupClient> all = [];
        for (int i = 0; i < clients * Shape.Count; i++)
        {
            var draws = new DrawStream(_seed, $"lookups {_clients++}");
            all.Add(new LookupClient(_cube, i % Shape.Count, draws, _images) { AsksForVariants = asksForVariants });
            all[^1].Start();
        }

        _cube.Below.Advance(warmUp);
        long from = _cube.Below.NowNanos;
        _cube.Below.Advance(time);
        long until = _cube.Below.NowNanos;
        all.ForEach(static one => one.Stop());
        _cube.Below.AwaitUntil(() => all.TrueForAll(static one => one.HasEnded), TimeSpan.FromSeconds(30));
        long[] took =
        [
            .. all.SelectMany(static one => one.Done)
                .Where(d => d.At > from && d.At <= until)
                .Select(static d => d.Took)
                .Order(),
        ];
        return new LookupResult(
            took.Length * 1e9 / (until - from),
            took.Length > 0 ? took[took.Length / 2] : 0,
            took.Length > 0 ? took[took.Length * 95 / 100] : 0,
            all.Sum(static one => one.Failed)
        );
    }

    /// <inheritdoc/>
    public void Dispose() => _cube.Dispose();

    private void Store()
    {
        int next = 0,
            ended = 0;
        for (int i = 0; i < Writers * Shape.Count; i++)
        {
            int rank = i % Shape.Count;
            _cube
                .ServerOf(rank)
                .Loop.Run(async () =>
                {
                    while (next < _images.Length)
                    {
                        int image = next++;
                        byte[] bytes = SimulatedPicture.OfLength(ThumbnailBytes, (ulong)image << 24);
                        ImageAnswer answer = await _cube.StoreOf(rank).PutAsync(_images[image], bytes, default);
                        if (answer is not { Status: ImageStatus.Done, IsPending: false })
                        {
                            throw new ExperimentException($"{_images[image]} was not stored: {answer.Status}.");
                        }
                    }

                    ended++;
                });
        }

        _cube.Below.AwaitUntil(() => ended == Writers * Shape.Count, TimeSpan.FromMinutes(10));
    }
}
