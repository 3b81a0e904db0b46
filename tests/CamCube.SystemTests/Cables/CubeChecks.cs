using System.Diagnostics;
using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Cables;

/// <summary>What holds for a whole cube of real servers, whatever its shape and shim.</summary>
internal static class CubeChecks
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static int _loads;

    /// <summary>Every server reaches all others, and all cables work in both directions.</summary>
    public static async Task WholeAsync(CableBed bed, Predicate<int>? among = null)
    {
        int[] ranks = [.. Enumerable.Range(0, bed.Count).Where(rank => among?.Invoke(rank) ?? true)];
        await Task.WhenAll(
            ranks.Select(rank =>
                bed.UntilAsync(
                    $"server {bed.Coordinate(rank)} reaches {ranks.Length} servers",
                    () => bed.ServerAsync(rank),
                    server =>
                        server.GetProperty("reachable").GetInt32() == ranks.Length
                        && (
                            among is not null
                            || server
                                .GetProperty("links")
                                .EnumerateArray()
                                .All(link => link.GetProperty("state").GetString() == "up")
                        ),
                    Patience
                )
            )
        );
    }

    /// <summary>The places that servers have found are those of the testbed: the neighbour on each cable is where it
    /// belongs.</summary>
    public static async Task PlacesFitTheCablesAsync(CableBed bed)
    {
        for (int i = 0; i < bed.Count; i++)
        {
            int rank = i;

            // A cable that was wrong a moment ago is so until its next hello.
            JsonElement report = await bed.UntilAsync(
                "no cable is wrong",
                () => bed.GetAsync(rank, "/api/cabling"),
                answer => answer.GetProperty("faults").GetArrayLength() == 0,
                Patience
            );
            Assert.Equal(bed.Coordinate(rank), report.GetProperty("coordinate").GetString());
        }
    }

    /// <summary>What is stored through any server is read through any other.</summary>
    public static async Task OneCacheAsync(CableBed bed)
    {
        for (int rank = 0; rank < bed.Count; rank++)
        {
            using MemcachedClient writer = await bed.MemcachedAsync(rank);
            Assert.Equal("STORED", await writer.SetAsync($"one{rank}", $"value{rank}"));
            using MemcachedClient reader = await bed.MemcachedAsync(bed.Count - 1 - rank);
            Assert.Equal($"value{rank}", (await reader.GetsAsync($"one{rank}"))?.Value);
        }
    }

    /// <summary>Clients work on some servers without a break while something happens, and get no wrong answer. Answers
    /// what they did.</summary>
    public static async Task<int> UnderLoadAsync(
        CableBed bed,
        int workers,
        IReadOnlyList<int> ranks,
        Func<Task> happens
    )
    {
        using var end = new CancellationTokenSource();

        // The keys of earlier clients are still there; these clients have others.
        int first = 1_000 * Interlocked.Increment(ref _loads);
        CacheWorker[] all =
        [
            .. Enumerable.Range(first, workers).Select(i => new CacheWorker(bed.MemcachedAsync, ranks, i)),
        ];
        Task load = Task.WhenAll(all.Select(w => Task.Run(() => w.RunAsync(end.Token))));
        try
        {
            await Task.WhenAny(load, happens()).Unwrap();
        }
        finally
        {
            await end.CancelAsync();
        }

        // A client that waits for an answer for a minute fails.
        await load;
        Assert.Empty(all.SelectMany(w => w.Wrong));
        return all.Sum(w => w.Done);
    }

    /// <summary>How long it takes from now until the keys of a sample can all be written through a server: every write
    /// that begins later succeeds. The keys are written in rounds, and that a round is without an error shows only at
    /// its end.</summary>
    public static async Task<Recovery> RecoveryAsync(CableBed bed, int rank, TimeSpan limit)
    {
        long begin = Stopwatch.GetTimestamp();
        using MemcachedClient client = await bed.MemcachedAsync(rank);
        TimeSpan usable,
            failed = TimeSpan.Zero;
        for (int round = 0; ; round++)
        {
            usable = Stopwatch.GetElapsedTime(begin);
            long last = await LastFailureAsync(client, round % 10);
            if (last == 0)
            {
                return new Recovery(failed, usable, Stopwatch.GetElapsedTime(begin));
            }

            failed = Stopwatch.GetElapsedTime(begin, last);
            Assert.True(
                Stopwatch.GetElapsedTime(begin) < limit,
                $"no round without errors within {limit}\n{bed.Logs()}"
            );
        }
    }

    // So many that every one of 27 servers has some, in one go: those of a server that is gone cannot be written until
    // it is noticed. Answers when the last of them failed, or 0.
    private static async Task<long> LastFailureAsync(MemcachedClient client, int digit)
    {
        const int Keys = 256;
        string answer = await client.SendAsync(
            string.Concat(Enumerable.Range(0, Keys).Select(i => $"set recovery{i} 0 0 1\r\n{digit}\r\n"))
        );
        long last = 0;
        for (int i = 1; ; i++)
        {
            last = answer == "STORED" ? last : Stopwatch.GetTimestamp();
            if (i == Keys)
            {
                return last;
            }

            answer = await client.LineAsync();
        }
    }
}
