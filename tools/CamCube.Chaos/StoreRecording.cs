using System.Diagnostics;
using CamCube.Chaos.Clients;
using CamCube.Chaos.Settings;

namespace CamCube.Chaos;

/// <summary>Has clients read and write keys of a store that runs, and writes down what they asked and were told.
/// Servers that fail meanwhile are asked all the same: what they do not answer is unknown, or was not done.</summary>
/// <param name="servers">The servers' front ends over HTTP.</param>
/// <param name="options">Clients, keys, time, seed and file.</param>
/// <param name="prefix">What the keys begin with; nobody else may use them, nor have done so before.</param>
public sealed class StoreRecording(IReadOnlyList<Uri> servers, ChaosOptions options, string prefix)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(15),
        ConnectTime = TimeSpan.FromSeconds(2),
        Tidying = TimeSpan.FromSeconds(10);
    private readonly long _began = Stopwatch.GetTimestamp();

    /// <summary>Records until the time is over.</summary>
    /// <param name="progress">Is told now and then how far it is.</param>
    /// <param name="cancel">Ends it earlier; what there is is written.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public async Task<RecordingResult> RunAsync(Action<RecordingResult> progress, CancellationToken cancel)
    {
        HttpClient[] http = [.. servers.Select(ClientOf)];
        StoreHttp[] stores = [.. http.Select(static one => new StoreHttp(one))];
        var history = new HistoryWriter(options.HistoryFile, keeps: false);
        try
        {
            IEnumerable<StoreClient> clients = Enumerable
                .Range(0, options.Clients)
                .Select(number => new StoreClient(number, stores, options, history, Clock, prefix));
            await ClientCrowd.RunAsync(clients, options, history, progress, cancel).ConfigureAwait(false);
            await TidyAsync(http).ConfigureAwait(false);
        }
        finally
        {
            await history.DisposeAsync().ConfigureAwait(false);
            foreach (HttpClient one in http)
            {
                one.Dispose();
            }
        }

        return history.Result;
    }

    private static HttpClient ClientOf(Uri server) =>
        new(
            new SocketsHttpHandler
            {
                UseProxy = false,
                AllowAutoRedirect = false,
                ConnectTimeout = ConnectTime,
            }
        )
        {
            BaseAddress = server,
            Timeout = Patience,
        };

    private long Clock() => (long)Stopwatch.GetElapsedTime(_began).TotalNanoseconds;

    // What was written down is over: nobody needs the keys. Those that no server deletes in time stay.
    private async Task TidyAsync(HttpClient[] http)
    {
        using var limit = new CancellationTokenSource(Tidying);
        try
        {
            for (int key = 0; key < options.Keys; key++)
            {
                HttpClient one = http[key % http.Length];
                string at = "/kv/" + Uri.EscapeDataString($"{prefix}{key}");
                using HttpResponseMessage _ = await one.DeleteAsync(at, limit.Token).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is HttpRequestException or IOException or OperationCanceledException) { }
    }
}
