using CamCube.Histories;

namespace CamCube.Chaos.Clients;

/// <summary>A client that asks any server, one operation at a time, and writes down all of them. One task.</summary>
/// <param name="pause">Its longest rest between two operations that a server answered.</param>
/// <param name="random">What it draws from.</param>
internal abstract class ChaosClient(TimeSpan pause, Random random) : IDisposable
{
    private static readonly TimeSpan Rest = TimeSpan.FromMilliseconds(100);

    /// <summary>What it draws from.</summary>
    protected Random Random => random;

    /// <summary>Asks until the run is over. What it asked last may end as unknown.</summary>
    public async Task RunAsync(CancellationToken over)
    {
        while (!over.IsCancellationRequested)
        {
            HistoryOperation told = await AskAsync(over).ConfigureAwait(false);
            TimeSpan rest = IsAnswer(told) ? pause * random.NextDouble() : Rest;
            await Task.Delay(rest, CancellationToken.None).ConfigureAwait(false);
        }
    }

    /// <summary>Reads a key until some server answers it.</summary>
    public async Task ReadAsync(string key, CancellationToken cancel)
    {
        do
        {
            cancel.ThrowIfCancellationRequested();
        } while (!IsAnswer(await GetAsync(key, cancel).ConfigureAwait(false)));
    }

    /// <inheritdoc/>
    public abstract void Dispose();

    /// <summary>Asks some server something, and writes down what it was told.</summary>
    protected abstract Task<HistoryOperation> AskAsync(CancellationToken over);

    /// <summary>Asks some server for a key, and writes down what it was told.</summary>
    protected abstract Task<HistoryOperation> GetAsync(string key, CancellationToken cancel);

    private static bool IsAnswer(HistoryOperation told) =>
        told.Answer is not (HistoryAnswer.Unavailable or HistoryAnswer.Unknown);
}
