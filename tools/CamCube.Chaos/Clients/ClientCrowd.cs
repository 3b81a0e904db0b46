using CamCube.Chaos.Settings;

namespace CamCube.Chaos.Clients;

/// <summary>Clients that ask until a run is over, each on a thread of the pool.</summary>
internal static class ClientCrowd
{
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(200);

    /// <summary>Ends when all of them have.</summary>
    /// <param name="clients">The clients.</param>
    /// <param name="options">How long.</param>
    /// <param name="history">What they are told.</param>
    /// <param name="progress">Is told now and then how far it is.</param>
    /// <param name="cancel">Ends it earlier.</param>
    public static async Task RunAsync(
        IEnumerable<ChaosClient> clients,
        ChaosOptions options,
        HistoryWriter history,
        Action<RecordingResult> progress,
        CancellationToken cancel
    )
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        over.CancelAfter(options.Time);
        Task all = Task.WhenAll(
            clients.Select(client => Task.Run(() => client.RunAsync(over.Token), CancellationToken.None)).ToList()
        );
        while (await Task.WhenAny(all, Task.Delay(Look, CancellationToken.None)).ConfigureAwait(false) != all)
        {
            progress(history.Result);
        }

        await all.ConfigureAwait(false);
    }
}
