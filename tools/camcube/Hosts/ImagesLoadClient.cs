using System.Diagnostics;
using System.Text.Json.Nodes;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>One client of a load: a request, its answer, the next. Its images are its own, so it knows what each of
/// them is.</summary>
/// <param name="store">A front end.</param>
/// <param name="pictures">What is put.</param>
/// <param name="options">How much of what.</param>
/// <param name="names">Its images.</param>
/// <param name="random">What it chooses.</param>
internal sealed class ImagesLoadClient(
    ImagesClient store,
    byte[][] pictures,
    ImagesLoadOptions options,
    string[] names,
    Random random
)
{
    // Who is told that there is no room, or nobody, does not ask again at once.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    // Which picture each of its images is; -1: none, or it is not known.
    private readonly int[] _holds = [.. names.Select(static _ => -1)];
    private int _next;
    private int _done;

    /// <summary>Puts: how long each took, and bytes.</summary>
    public List<(TimeSpan Took, int Bytes)> Puts { get; } = [];

    /// <summary>The same of reads.</summary>
    public List<(TimeSpan Took, int Bytes)> Gets { get; } = [];

    /// <summary>Of the puts, those whose variants were not there yet.</summary>
    public int Pending { get; private set; }

    /// <summary>Requests that ended otherwise, by status; 0: no answer.</summary>
    public Dictionary<int, int> Failed { get; } = [];

    /// <summary>Reads that brought something else than was put.</summary>
    public int Wrong { get; private set; }

    /// <summary>Requests that have an end. Any thread.</summary>
    public int Done => Volatile.Read(ref _done);

    /// <summary>Asks until it is to end; the last request is waited for.</summary>
    public async Task RunAsync(Func<bool> isOver, CancellationToken cancel)
    {
        while (!isOver())
        {
            int one = random.Next(names.Length);
            bool isDone =
                _holds[one] >= 0 && random.Next(100) >= options.Puts
                    ? await GetAsync(one, cancel)
                    : await PutAsync(cancel);
            Volatile.Write(ref _done, _done + 1);
            if (!isDone)
            {
                await Task.Delay(Pause, cancel);
            }
        }
    }

    /// <summary>Removes its images.</summary>
    /// <returns>How many are there still.</returns>
    public async Task<int> RemoveAsync(CancellationToken cancel)
    {
        int kept = 0;
        foreach (string name in names.Take(_next))
        {
            int status = (await AskAsync(HttpMethod.Delete, name, null, null, cancel))?.Status ?? 0;
            kept += status is (>= 200 and < 300) or 404 ? 0 : 1;
        }

        return kept;
    }

    private async Task<bool> PutAsync(CancellationToken cancel)
    {
        int one = _next++ % names.Length,
            picture = random.Next(pictures.Length);
        _holds[one] = -1;
        long began = Stopwatch.GetTimestamp();
        using var content = new ByteArrayContent(pictures[picture]);
        KeyValueReply? reply = await AskAsync(HttpMethod.Put, names[one], null, content, cancel);
        if (!HasSucceeded(reply))
        {
            return false;
        }

        Puts.Add((Stopwatch.GetElapsedTime(began), pictures[picture].Length));
        Pending += (string?)JsonNode.Parse(reply!.Body)?["variants"] == "ready" ? 0 : 1;
        _holds[one] = picture;
        return true;
    }

    private async Task<bool> GetAsync(int one, CancellationToken cancel)
    {
        long began = Stopwatch.GetTimestamp();
        KeyValueReply? reply = await AskAsync(HttpMethod.Get, names[one], options.Variant, null, cancel);
        if (!HasSucceeded(reply))
        {
            // What is not there, though it was acknowledged, is as wrong as another.
            Wrong += reply?.Status == 404 && options.Variant is null ? 1 : 0;
            return false;
        }

        Gets.Add((Stopwatch.GetElapsedTime(began), reply!.Body.Length));
        bool isRight = options.Variant is null
            ? reply.Body.AsSpan().SequenceEqual(pictures[_holds[one]])
            : reply.Body.Length > 0
                && reply.Header("Content-Type")?.StartsWith("image/", StringComparison.Ordinal) == true;
        Wrong += isRight ? 0 : 1;
        return true;
    }

    private bool HasSucceeded(KeyValueReply? reply)
    {
        if (reply?.Status is >= 200 and < 300)
        {
            return true;
        }

        int status = reply?.Status ?? 0;
        Failed[status] = Failed.GetValueOrDefault(status) + 1;
        return false;
    }

    private async Task<KeyValueReply?> AskAsync(
        HttpMethod method,
        string name,
        string? part,
        HttpContent? body,
        CancellationToken cancel
    )
    {
        try
        {
            return await store.TryAskAsync(method, name, part, body, null, cancel);
        }
        catch (ToolException)
        {
            return null;
        }
    }
}
