using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using CamCube.Chaos.Clients;
using CamCube.Chaos.Settings;
using CamCube.Chaos.Views;
using CamCube.Histories;
using CamCube.Histories.Checking;
using CamCube.Testbed;

namespace CamCube.Chaos;

/// <summary>A run: a testbed with the key-value store, its clients, its faults, and what is found afterwards.</summary>
/// <param name="options">What it is like.</param>
/// <param name="progress">Gets a line per stage and fault. Any thread.</param>
public sealed class ChaosRun(ChaosOptions options, Action<string> progress)
{
    // The first of a process, and each has one server.
    private const int Port = 8200;
    private const int RedisPort = 6379;
    private static readonly TimeSpan StartTime = TimeSpan.FromMinutes(3),
        Patience = TimeSpan.FromSeconds(15),
        ReadTime = TimeSpan.FromMinutes(2),
        Look = TimeSpan.FromSeconds(1);

    private readonly long _began = Stopwatch.GetTimestamp();

    /// <summary>Runs it. The testbed is removed afterwards, also after Ctrl+C.</summary>
    /// <exception cref="TestbedException">There can be no testbed, or its servers do not get ready.</exception>
    public async Task<ChaosResult> RunAsync(CancellationToken cancel)
    {
        return await ChaosTestbed
            .UseAsync(Plan(), StartTime, progress, state => RunAsync(state, cancel), cancel)
            .ConfigureAwait(false);
    }

    private TestbedPlan Plan() =>
        ChaosTestbed.Plan(
            options.Name,
            options.Shape,
            options.DiskBytes,
            options.Program,
            options.IsRedis ? ["CamCube:FrontEnds:redis:Enabled=true", .. options.Settings] : options.Settings
        );

    private async Task<ChaosResult> RunAsync(TestbedState state, CancellationToken cancel)
    {
        using var view = new StoreView(state);
        await SettleAsync(view, cancel).ConfigureAwait(false);
        progress($"the store is there: {options.Clients} clients, {options.Keys} keys");
        HttpClient[] http = [.. state.Servers.Select(server => NamespaceHttp.Client(server.Namespace, Patience, Port))];
        StoreHttp[] servers = [.. http.Select(client => new StoreHttp(client))];
        var history = new HistoryWriter(options.HistoryFile);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        List<string> violations = [];
        ChaosClient[] clients = [];
        double settled;
        IReadOnlyDictionary<FaultKind, int> faults;
        try
        {
            clients =
            [
                .. Enumerable
                    .Range(0, options.Clients)
                    .Select(number =>
                        options.IsRedis
                            ? RedisClientOf(number, state, history)
                            : (ChaosClient)new StoreClient(number, servers, options, history, Clock)
                    ),
            ];
            Task[] running = [.. clients.Select(client => Task.Run(() => client.RunAsync(over.Token), cancel))];
            using var control = new TestbedControl(options.Name);
            var tormentor = new Tormentor(control, options, view.WhyNotWholeAsync, progress);
            await tormentor.RunAsync(cancel).ConfigureAwait(false);
            faults = tormentor.Done;
            await over.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(running).ConfigureAwait(false);
            violations.AddRange(tormentor.Ended().Select(server => $"server {server} ended by itself"));
            progress($"{history.Known:N0} operations are known; the servers settle");
            settled = await SettleAsync(view, cancel, violations).ConfigureAwait(false);
            await ReadAllAsync(clients, violations, cancel).ConfigureAwait(false);
            violations.AddRange(
                await view.CompareAsync(copies => progress($"{copies:N0} copies are compared"), cancel)
                    .ConfigureAwait(false)
            );
            violations.AddRange(
                state
                    .Servers.Where(
                        (_, i) => servers[i].Known + clients.OfType<RedisClient>().Sum(client => client.KnownOf(i)) == 0
                    )
                    .Select(server => $"server {server.Coordinate} answered nobody")
            );
        }
        finally
        {
            await over.CancelAsync().ConfigureAwait(false);
            await history.DisposeAsync().ConfigureAwait(false);
            Array.ForEach(clients, static client => client.Dispose());
            Array.ForEach(http, static client => client.Dispose());
        }

        progress("the history is checked");
        HistoryVerdict verdict = LinearizabilityChecker.Check(history.All);
        if (verdict.IsLinearizable != true)
        {
            violations.Insert(
                0,
                verdict.IsLinearizable is null
                    ? $"the history of {verdict.Key} could not be decided"
                    : $"the history of {verdict.Key} is not linearizable: {verdict.Unexplained}"
            );
        }

        return new ChaosResult(
            faults,
            history.Result.Operations,
            history.Result.Unknown,
            history.Result.Unavailable,
            LongestOf(history.All),
            settled,
            verdict,
            violations
        );
    }

    private RedisClient RedisClientOf(int number, TestbedState state, HistoryWriter history) =>
        new(
            number,
            [.. state.Servers.Select(static _ => new IPEndPoint(IPAddress.Loopback, RedisPort))],
            options,
            history,
            Clock,
            StoreClient.Keys,
            null,
            server =>
                NetworkNamespace.Inside(
                    state.Servers[server].Namespace,
                    static () => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
                )
        );

    private long Clock() => (long)Stopwatch.GetElapsedTime(_began).TotalNanoseconds;

    private async Task<double> SettleAsync(StoreView view, CancellationToken cancel, List<string>? violations = null)
    {
        long began = Stopwatch.GetTimestamp();
        string? why;
        while ((why = await view.WhyNotSettledAsync(cancel).ConfigureAwait(false)) is not null)
        {
            if (Stopwatch.GetElapsedTime(began) > options.SettleTime)
            {
                string words = string.Create(
                    CultureInfo.InvariantCulture,
                    $"not settled after {options.SettleTime.TotalSeconds:0} s: {why}"
                );
                if (violations is null)
                {
                    throw new TestbedException(words + ".");
                }

                violations.Add(words);
                return -1;
            }

            await Task.Delay(Look, cancel).ConfigureAwait(false);
        }

        return Stopwatch.GetElapsedTime(began).TotalSeconds;
    }

    /// <summary>Whatever was acknowledged is there: what these gets say is part of the history.</summary>
    private async Task ReadAllAsync(ChaosClient[] clients, List<string> violations, CancellationToken cancel)
    {
        IReadOnlyList<string> keys = options.IsRedis
            ? RedisClient.LastingKeysOf(StoreClient.Keys, options.Keys)
            : [.. Enumerable.Range(0, options.Keys).Select(StoreClient.KeyOf)];
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(ReadTime);
        try
        {
            await Task.WhenAll(
                    clients.Select(
                        async (client, number) =>
                        {
                            for (int key = number; key < keys.Count; key += clients.Length)
                            {
                                await client.ReadAsync(keys[key], limit.Token).ConfigureAwait(false);
                            }
                        }
                    )
                )
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
        {
            violations.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"not every key could be read within {ReadTime.TotalSeconds:0} s"
                )
            );
        }
    }

    private static double LongestOf(IReadOnlyList<HistoryOperation> all)
    {
        long[] ends =
        [
            .. all.Where(o => o.Answer is not (HistoryAnswer.Unknown or HistoryAnswer.Unavailable))
                .Select(o => o.End)
                .Order(),
        ];
        return ends.Length < 2 ? 0 : ends.Zip(ends.Skip(1), (one, next) => next - one).Max() / 1e9;
    }
}
