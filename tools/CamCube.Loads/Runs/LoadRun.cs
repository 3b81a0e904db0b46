using System.Net;
using System.Net.Sockets;
using CamCube.Loads.Choosing;
using CamCube.Loads.Etcd;
using CamCube.Loads.Measuring;
using CamCube.Loads.Operations;
using CamCube.Loads.Resp;
using CamCube.Loads.Settings;
using CamCube.Loads.Targets;

namespace CamCube.Loads.Runs;

/// <summary>A load on servers that have one store, phase by phase. One phase at a time.</summary>
public sealed class LoadRun : IDisposable
{
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(100);
    private readonly LoadOptions _options;
    private readonly LoadTarget _target;
    private readonly IReadOnlyList<IPEndPoint> _addresses;
    private readonly Func<int, Socket>? _socketOf;
    private readonly RecordNames _names;
    private readonly InsertedKeys _inserted;
    private readonly List<ILoadSession> _sessions = [];

    private LoadRun(
        LoadOptions options,
        LoadTarget target,
        IReadOnlyList<LoadEndpoint> endpoints,
        IReadOnlyList<IPEndPoint> addresses,
        Func<int, Socket>? socketOf
    )
    {
        (_options, _target, _addresses, _socketOf) = (options, target, addresses, socketOf);
        _names = new RecordNames(options.Prefix, options.ValueLength, options.Seed);
        _inserted = new InsertedKeys(options.Records);
        for (int i = 0; target != LoadTarget.Redis && i < options.Connections; i++)
        {
            int server = i % endpoints.Count;
            Uri root = endpoints[server].Root;
            Func<Socket>? socket = socketOf is null ? null : () => socketOf(server);
            _sessions.Add(
                target == LoadTarget.Etcd
                    ? new EtcdSession(root, _names)
                    : new HttpSession(root, _names, options.Table, options.Pipeline, socket)
            );
        }
    }

    /// <summary>Looks whether servers are there.</summary>
    /// <param name="options">How much of what.</param>
    /// <param name="target">What they speak.</param>
    /// <param name="endpoints">Where they are.</param>
    /// <param name="cancel">Ends it.</param>
    /// <param name="socketOf">Makes a socket for one of the servers, as in another network namespace; then nobody looks
    /// whether they are there. Not of etcd. Null: ordinary ones.</param>
    /// <exception cref="IOException">None answers; says why the first does not.</exception>
    public static async Task<LoadRun> BeginAsync(
        LoadOptions options,
        LoadTarget target,
        IReadOnlyList<LoadEndpoint> endpoints,
        CancellationToken cancel,
        Func<int, Socket>? socketOf = null
    )
    {
        List<IPEndPoint> addresses = [];
        foreach (LoadEndpoint endpoint in endpoints)
        {
            addresses.Add(await endpoint.ResolveAsync(cancel).ConfigureAwait(false));
        }

        if (socketOf is not null)
        {
            return new LoadRun(options, target, endpoints, addresses, socketOf);
        }

        string? why = null;
        for (int i = 0; i < endpoints.Count; i++)
        {
            string? fault = await (
                target switch
                {
                    LoadTarget.Redis => LookAtRedisAsync(endpoints[i], addresses[i], options, cancel),
                    LoadTarget.Etcd => LookAtEtcdAsync(endpoints[i], options, cancel),
                    _ => LookAtHttpAsync(endpoints[i], options, cancel),
                }
            ).ConfigureAwait(false);
            if (fault is null)
            {
                return new LoadRun(options, target, endpoints, addresses, null);
            }

            why ??= fault;
        }

        throw new IOException(why ?? "no server was named.");
    }

    /// <summary>Runs a phase. With all servers gone it ends early.</summary>
    /// <param name="phase">Which.</param>
    /// <param name="progress">Is told each second, or more often, what was done so far.</param>
    /// <param name="cancel">Ends it; what is on its way is waited for.</param>
    public async Task<LoadPhaseResult> RunAsync(LoadPhase phase, Action<LoadSecond> progress, CancellationToken cancel)
    {
        long began = LoadClock.Nanos;
        var course = phase switch
        {
            LoadPhase.Run => new LoadCourse(began, _options.Operations, _options.Time, _options.Rate),
            LoadPhase.Load => new LoadCourse(began, _options.Records, Timeout.InfiniteTimeSpan, 0),
            _ => new LoadCourse(began, Removed, Timeout.InfiniteTimeSpan, 0),
        };
        using CancellationTokenRegistration _ = cancel.Register(course.Stop);
        List<LoadTally> tallies = [];
        List<ILoadLoop> loops = [];
        Task[] running =
            _target == LoadTarget.Redis ? Loops(phase, course, loops, tallies) : Workers(phase, course, tallies);
        List<LoadSecond> seconds = [];
        Task all = Task.WhenAll(running);
        try
        {
            double next = 1;
            while (await Task.WhenAny(all, Task.Delay(Look, CancellationToken.None)).ConfigureAwait(false) != all)
            {
                LoadSecond now = NowOf(tallies, began);
                progress(now);
                if (now.Seconds >= next)
                {
                    seconds.Add(now);
                    next = Math.Floor(now.Seconds) + 1;
                }

                StopIfGone(now, course);
            }

            await all.ConfigureAwait(false);
        }
        finally
        {
            loops.ForEach(static loop => loop.Dispose());
        }

        double took = (LoadClock.Nanos - began) / 1e9;
        var sum = new LoadTally();
        tallies.ForEach(sum.Add);
        return new LoadPhaseResult(phase, took, sum, course.Late, seconds, loops.Exists(static loop => loop.IsGone));
    }

    /// <inheritdoc/>
    public void Dispose() => _sessions.ForEach(static one => one.Dispose());

    private long Removed =>
        _options.Workload.Mix.Kinds.Contains(OperationKind.Increment) ? 2 * _inserted.Begun : _inserted.Begun;

    private static async Task<string?> LookAtRedisAsync(
        LoadEndpoint endpoint,
        IPEndPoint address,
        LoadOptions options,
        CancellationToken cancel
    )
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(options.Patience);
        try
        {
            using RespClient client = await RespClient.ConnectAsync(address, limit.Token).ConfigureAwait(false);
            RespValue? error = await client.GreetAsync(options.Login, options.Table, limit.Token).ConfigureAwait(false);
            RespValue answer = error ?? await client.AskAsync(limit.Token, "PING").ConfigureAwait(false);
            return answer.Kind == RespKind.Error ? $"{endpoint} refuses: {answer.Text}" : null;
        }
        catch (RespException e)
        {
            cancel.ThrowIfCancellationRequested();
            return e.Message.Contains($"{address}", StringComparison.Ordinal) ? e.Message : $"{endpoint}: {e.Message}";
        }
    }

    private static async Task<string?> LookAtEtcdAsync(
        LoadEndpoint endpoint,
        LoadOptions options,
        CancellationToken cancel
    )
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(options.Patience);
        try
        {
            using var client = new EtcdClient(endpoint.Root);
            await client.LeadsAsync(limit.Token).ConfigureAwait(false);
            return null;
        }
        catch (Exception e) when (e is IOException or HttpRequestException or OperationCanceledException)
        {
            cancel.ThrowIfCancellationRequested();
            return $"{endpoint} does not answer as etcd: {e.Message}";
        }
    }

    private static async Task<string?> LookAtHttpAsync(
        LoadEndpoint endpoint,
        LoadOptions options,
        CancellationToken cancel
    )
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(options.Patience);
        try
        {
            // Of an empty path it is not found, by whoever knows HTTP.
            using var client = new HttpClient(new SocketsHttpHandler { UseProxy = false });
            using HttpResponseMessage _ = await client.GetAsync(endpoint.Root, limit.Token).ConfigureAwait(false);
            return null;
        }
        catch (Exception e) when (e is IOException or HttpRequestException or OperationCanceledException)
        {
            cancel.ThrowIfCancellationRequested();
            return $"{endpoint} does not answer over HTTP: {e.Message}";
        }
    }

    private static LoadSecond NowOf(List<LoadTally> tallies, long began) =>
        new(
            (LoadClock.Nanos - began) / 1e9,
            tallies.Sum(static one => one.Done),
            tallies.Sum(static one => one.Failed)
        );

    // A phase without a time would go on for as long as each of its operations fails.
    private void StopIfGone(LoadSecond now, LoadCourse course)
    {
        if (_target != LoadTarget.Redis && now.Done == 0 && now.Seconds > 2 * _options.Patience.TotalSeconds)
        {
            course.Stop();
        }
    }

    private Task[] Loops(LoadPhase phase, LoadCourse course, List<ILoadLoop> loops, List<LoadTally> tallies)
    {
        if (!OperatingSystem.IsLinux())
        {
            throw new PlatformNotSupportedException("loads over Redis' protocol need Linux.");
        }

        int count = Math.Min(_options.Loops, _options.Connections);
        for (int i = 0; i < count; i++)
        {
            int first = _options.Connections * i / count,
                next = _options.Connections * (i + 1) / count;
            var source = new LoadSource(phase, _options, _inserted, i);
            var loop = new RedisLoop(_options, _addresses, first, next - first, course, source, _names, _socketOf);
            loops.Add(loop);
            tallies.Add(loop.Tally);
        }

        return
        [
            .. loops.Select(static loop =>
                Task.Factory.StartNew(
                    loop.Run,
                    CancellationToken.None,
                    TaskCreationOptions.LongRunning,
                    TaskScheduler.Default
                )
            ),
        ];
    }

    private Task[] Workers(LoadPhase phase, LoadCourse course, List<LoadTally> tallies)
    {
        List<SessionWorker> workers = [];
        for (int i = 0; i < _options.Connections * _options.Pipeline; i++)
        {
            var source = new LoadSource(phase, _options, _inserted, i);
            var worker = new SessionWorker(_options, _sessions[i % _sessions.Count], course, source);
            workers.Add(worker);
            tallies.Add(worker.Tally);
        }

        return [.. workers.Select(static worker => Task.Run(worker.RunAsync))];
    }
}
