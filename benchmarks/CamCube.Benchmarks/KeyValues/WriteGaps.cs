using System.Diagnostics;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>
/// Clients that write, each its own key and one write after the other, and the longest time between two writes of each
/// that were acknowledged: what a failure costs those who use a store.
/// </summary>
internal sealed class WriteGaps : IAsyncDisposable
{
    private readonly CancellationTokenSource _end = new();
    private readonly Task[] _running;
    private readonly double[] _longest;
    private readonly long[] _last;
    private long _writes;

    /// <summary>Begins.</summary>
    /// <param name="clients">How many.</param>
    /// <param name="write">A write of a client; false, or an exception of HTTP: not acknowledged.</param>
    public WriteGaps(int clients, Func<int, CancellationToken, Task<bool>> write)
    {
        (_longest, _last) = (new double[clients], new long[clients]);
        Array.Fill(_last, Stopwatch.GetTimestamp());
        _running = [.. Enumerable.Range(0, clients).Select(client => Task.Run(() => RunAsync(client, write)))];
    }

    /// <summary>Writes that were acknowledged.</summary>
    public long Writes => Volatile.Read(ref _writes);

    /// <summary>Counts from now.</summary>
    public void Reset() => Array.Clear(_longest);

    /// <summary>Seconds of each client, those that still wait included.</summary>
    public IReadOnlyList<double> Longest() =>
        [
            .. _longest.Select(
                (gap, client) => Math.Max(gap, Stopwatch.GetElapsedTime(Volatile.Read(ref _last[client])).TotalSeconds)
            ),
        ];

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await Task.WhenAll(_running);
        _end.Dispose();
    }

    private async Task RunAsync(int client, Func<int, CancellationToken, Task<bool>> write)
    {
        while (!_end.IsCancellationRequested)
        {
            bool isDone = false;
            try
            {
                isDone = await write(client, _end.Token);
            }
            catch (Exception e) when (e is HttpRequestException or IOException or OperationCanceledException)
            {
                // Not acknowledged.
            }

            if (!isDone)
            {
                await Task.Delay(5);
                continue;
            }

            long now = Stopwatch.GetTimestamp();
            double gap = Stopwatch.GetElapsedTime(_last[client], now).TotalSeconds;
            Volatile.Write(ref _last[client], now);
            _longest[client] = Math.Max(_longest[client], gap);
            Interlocked.Increment(ref _writes);
        }
    }
}
