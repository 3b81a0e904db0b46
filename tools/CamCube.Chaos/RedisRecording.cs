using System.Diagnostics;
using System.Net;
using CamCube.Chaos.Clients;
using CamCube.Chaos.Settings;
using CamCube.Loads.Resp;

namespace CamCube.Chaos;

/// <summary>Has clients ask servers that speak Redis and have one store, and writes down what they were told. Servers
/// that fail meanwhile are asked all the same.</summary>
/// <param name="servers">The servers.</param>
/// <param name="options">Clients, keys, time, seed and file.</param>
/// <param name="prefix">What the keys begin with; nobody else may use them, nor have done so before.</param>
/// <param name="login">Who clients are; null: they do not say it.</param>
public sealed class RedisRecording(
    IReadOnlyList<IPEndPoint> servers,
    ChaosOptions options,
    string prefix,
    RespLogin? login = null
)
{
    private const int Removed = 500;
    private static readonly TimeSpan Tidying = TimeSpan.FromSeconds(10);
    private readonly long _began = Stopwatch.GetTimestamp();

    /// <summary>Records until the time is over.</summary>
    /// <param name="progress">Is told now and then how far it is.</param>
    /// <param name="cancel">Ends it earlier; what there is is written.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public async Task<RecordingResult> RunAsync(Action<RecordingResult> progress, CancellationToken cancel)
    {
        var history = new HistoryWriter(options.HistoryFile, keeps: false);
        RedisClient[] clients =
        [
            .. Enumerable
                .Range(0, options.Clients)
                .Select(number => new RedisClient(number, servers, options, history, Clock, prefix, login)),
        ];
        try
        {
            await ClientCrowd.RunAsync(clients, options, history, progress, cancel).ConfigureAwait(false);
            await TidyAsync().ConfigureAwait(false);
        }
        finally
        {
            await history.DisposeAsync().ConfigureAwait(false);
            Array.ForEach(clients, static one => one.Dispose());
        }

        return history.Result;
    }

    private long Clock() => (long)Stopwatch.GetElapsedTime(_began).TotalNanoseconds;

    // What was written down is over: nobody needs the keys. Those that nobody deletes in time stay.
    private async Task TidyAsync()
    {
        using var limit = new CancellationTokenSource(Tidying);
        foreach (IPEndPoint server in servers)
        {
            try
            {
                using RespClient client = await RespClient.ConnectAsync(server, limit.Token).ConfigureAwait(false);
                await client.GreetAsync(login, 0, limit.Token).ConfigureAwait(false);
                foreach (string[] some in RedisClient.KeysOf(prefix, options.Keys, Clock()).Chunk(Removed))
                {
                    await client
                        .AskAllAsync(
                            [
                                .. some.Select(static key =>
                                    new[] { "DEL"u8.ToArray(), System.Text.Encoding.UTF8.GetBytes(key) }
                                ),
                            ],
                            limit.Token
                        )
                        .ConfigureAwait(false);
                }

                return;
            }
            catch (RespException)
            {
                // Another may be there.
            }
        }
    }
}
