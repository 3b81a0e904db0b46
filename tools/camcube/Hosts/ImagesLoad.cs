using System.Diagnostics;
using System.Globalization;
using CamCube.Experiments.Images;

namespace CamCube.Tool.Hosts;

/// <summary>The papers' load (HPDC §5.3): clients over HTTP, each with one request at a time, spread over front
/// ends.</summary>
/// <param name="frontEnds">Where they ask.</param>
/// <param name="key">Signs addresses; null: they are not signed.</param>
/// <param name="options">How much of what.</param>
internal sealed class ImagesLoad(IReadOnlyList<Uri> frontEnds, byte[]? key, ImagesLoadOptions options)
{
    /// <summary>Runs it.</summary>
    /// <param name="prefix">What names of images begin with; nobody else uses it.</param>
    /// <param name="tick">Told how many requests have ended.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public async Task<ImagesLoadResult> RunAsync(string prefix, Action<int> tick, CancellationToken cancel)
    {
        byte[][] pictures = new byte[options.Pictures][];
        Parallel.For(
            0,
            pictures.Length,
            i =>
                pictures[i] = MadePictures.Make(
                    (int)options.Seed ^ i,
                    MadePictures.LengthOf(i, pictures.Length, options.MeanBytes)
                )
        );
        ImagesClient[] stores = [.. frontEnds.Select(one => new ImagesClient(one, key))];
        try
        {
            ImagesLoadClient[] clients =
            [
                .. Enumerable
                    .Range(0, options.Clients)
                    .Select(i => new ImagesLoadClient(
                        stores[i % stores.Length],
                        pictures,
                        options,
                        NamesOf(prefix, i),
                        new Random(HashCodeOf(options.Seed, i))
                    )),
            ];
            long began = Stopwatch.GetTimestamp();
            Task[] running = [.. clients.Select(one => one.RunAsync(IsOver, cancel))];
            Task all = Task.WhenAll(running);
            while (await Task.WhenAny(all, Task.Delay(TimeSpan.FromMilliseconds(200), CancellationToken.None)) != all)
            {
                tick(clients.Sum(static one => one.Done));
            }

            await all;
            double seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
            int kept = options.Keeps ? options.Images : 0;
            foreach (ImagesLoadClient client in options.Keeps ? [] : clients)
            {
                kept += await client.RemoveAsync(cancel);
            }

            return Sum(clients, seconds, kept);

            bool IsOver() =>
                Stopwatch.GetElapsedTime(began) >= options.Time
                || (options.Requests > 0 && clients.Sum(static one => one.Done) >= options.Requests);
        }
        finally
        {
            Array.ForEach(stores, static one => one.Dispose());
        }
    }

    private ImagesLoadResult Sum(ImagesLoadClient[] clients, double seconds, int kept) =>
        new(
            seconds,
            clients.Length,
            frontEnds.Count,
            LoadTimes.Of(clients.SelectMany(static one => one.Puts), seconds),
            LoadTimes.Of(clients.SelectMany(static one => one.Gets), seconds),
            clients.Sum(static one => one.Pending),
            clients
                .SelectMany(static one => one.Failed)
                .GroupBy(static one => one.Key, static one => one.Value)
                .OrderBy(static one => one.Key)
                .ToDictionary(
                    static one => one.Key == 0 ? "none" : one.Key.ToString(CultureInfo.InvariantCulture),
                    static one => one.Sum()
                ),
            clients.Sum(static one => one.Wrong),
            kept
        );

    private string[] NamesOf(string prefix, int client) =>
        [.. Enumerable.Range(0, Math.Max(options.Images / options.Clients, 1)).Select(i => $"{prefix}-{client}-{i}")];

    // The same for the same seed, in every process.
    private static int HashCodeOf(ulong seed, int client) => (int)(seed * 0x9E3779B97F4A7C15UL >> 33) ^ client;
}
