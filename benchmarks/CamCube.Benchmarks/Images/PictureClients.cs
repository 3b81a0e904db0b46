using CamCube.Experiments.Images;

namespace CamCube.Benchmarks.Images;

/// <summary>Clients of an image store, each with one request at a time, to a server drawn anew.</summary>
/// <param name="servers">The servers' front ends.</param>
internal sealed class PictureClients(IReadOnlyList<HttpClient> servers)
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);
    private readonly byte[][] _pictures = Made();
    private readonly byte[]?[] _thumbnails = new byte[]?[MadePictures.Count];
    private long _done;
    private long _bytes;
    private int _refused;

    /// <summary>Requests that were answered as they should, and bytes of their pictures. Any thread.</summary>
    public (long Requests, long Bytes) Done => (Volatile.Read(ref _done), Volatile.Read(ref _bytes));

    /// <summary>Requests that were not. Any thread.</summary>
    public int Refused => Volatile.Read(ref _refused);

    /// <summary>Stores each picture once, and reads its thumbnail.</summary>
    public async Task FillAsync(CancellationToken cancel)
    {
        const int AtOnce = 8,
            Tries = 20;
        await Parallel.ForEachAsync(
            Enumerable.Range(0, _pictures.Length),
            new ParallelOptions { MaxDegreeOfParallelism = AtOnce, CancellationToken = cancel },
            async (number, end) =>
            {
                for (int i = 0; _thumbnails[number] is null; i++)
                {
                    HttpClient server = servers[(number + i) % servers.Count];
                    if (await PutAsync(server, $"picture {number}", number, end))
                    {
                        using HttpResponseMessage answer = await server.GetAsync(ThumbnailOf(number), end);
                        _thumbnails[number] = answer.IsSuccessStatusCode
                            ? await answer.Content.ReadAsByteArrayAsync(end)
                            : null;
                    }

                    if (_thumbnails[number] is null && i >= Tries)
                    {
                        throw new Testbed.TestbedException($"picture {number} cannot be stored.");
                    }
                }
            }
        );
    }

    /// <summary>Has clients store pictures, each in the places of its own, until it is cancelled.</summary>
    public Task StoreAsync(int clients, CancellationToken over) =>
        RunAsync(
            clients,
            (client, turn, random) =>
            {
                int places = Math.Max(MadePictures.Count / clients, 1);
                string name = $"{clients} {client} {turn % places}";
                return PutAsync(Drawn(random), name, random.Next(_pictures.Length), over);
            },
            over
        );

    /// <summary>Has clients look thumbnails up, until it is cancelled.</summary>
    public Task LookUpAsync(int clients, CancellationToken over) =>
        RunAsync(clients, (_, _, random) => LookUpAsync(Drawn(random), random.Next(_pictures.Length), over), over);

    private HttpClient Drawn(Random random) => servers[random.Next(servers.Count)];

    private static async Task RunAsync(int clients, Func<int, int, Random, Task<bool>> ask, CancellationToken over)
    {
        await Task.WhenAll(Enumerable.Range(0, clients).Select(client => Task.Run(() => OneAsync(client), over)));

        async Task OneAsync(int client)
        {
            var random = new Random(client);
            for (int turn = 0; !over.IsCancellationRequested; turn++)
            {
                try
                {
                    if (!await ask(client, turn, random))
                    {
                        await Task.Delay(Pause, over);
                    }
                }
                catch (OperationCanceledException) when (over.IsCancellationRequested)
                {
                    return;
                }
            }
        }
    }

    private async Task<bool> PutAsync(HttpClient server, string name, int number, CancellationToken over)
    {
        byte[] picture = _pictures[number];
        try
        {
            using HttpResponseMessage answer = await server.PutAsync(
                $"/images/{name}",
                new ByteArrayContent(picture),
                over
            );
            await answer.Content.ReadAsByteArrayAsync(over);
            return Count(answer.IsSuccessStatusCode, picture.Length);
        }
        catch (Exception e) when (e is HttpRequestException or IOException)
        {
            return Count(false, 0);
        }
    }

    private async Task<bool> LookUpAsync(HttpClient server, int number, CancellationToken over)
    {
        try
        {
            using HttpResponseMessage answer = await server.GetAsync(ThumbnailOf(number), over);
            byte[] bytes = await answer.Content.ReadAsByteArrayAsync(over);
            return Count(answer.IsSuccessStatusCode && bytes.AsSpan().SequenceEqual(_thumbnails[number]), bytes.Length);
        }
        catch (Exception e) when (e is HttpRequestException or IOException)
        {
            return Count(false, 0);
        }
    }

    private bool Count(bool isRight, int bytes)
    {
        if (!isRight)
        {
            Interlocked.Increment(ref _refused);
            return false;
        }

        Interlocked.Increment(ref _done);
        Interlocked.Add(ref _bytes, bytes);
        return true;
    }

    private static string ThumbnailOf(int number) => $"/images/picture {number}/thumb";

    private static byte[][] Made()
    {
        byte[][] pictures = new byte[MadePictures.Count][];
        Parallel.For(
            0,
            pictures.Length,
            i => pictures[i] = MadePictures.Make(i, MadePictures.LengthOf(i, pictures.Length, MadePictures.MeanBytes))
        );
        return pictures;
    }
}
