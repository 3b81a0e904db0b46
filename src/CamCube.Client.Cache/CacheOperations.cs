using System.Buffers;
using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using CamCube.Client.Cache.Connections;
using CamCube.Client.Cache.Entries;
using CamCube.Client.Cache.Observing;
using CamCube.Client.Cache.Protocol;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Logging;

namespace CamCube.Client.Cache;

/// <summary>The cache's operations made of commands: when entries end, what happens when commands fail, and what is
/// counted.</summary>
internal sealed class CacheOperations
{
    private const int MostRepairs = 3;

    private readonly CamCubeCacheOptions _options;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly CacheClientMetrics _metrics;
    private readonly ServerPool _pool;

    /// <summary>Once, also when a container disposes each of its registrations of the same object.</summary>
    private readonly Lazy<Task> _stop;

    public CacheOperations(CamCubeCacheOptions options, TimeProvider time, ILogger logger, IMeterFactory meters)
    {
        _options = options;
        _time = time;
        _logger = logger;
        _metrics = new CacheClientMetrics(meters, time);
        _pool = new ServerPool(options, time, logger);
        _stop = new Lazy<Task>(_pool.StopAsync);
    }

    /// <summary>Reads an entry, and moves its end on if it has a window.</summary>
    /// <param name="key">The application's key.</param>
    /// <param name="destination">Gets the value; null: an array is made.</param>
    /// <param name="token">Ends the wait.</param>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<(bool IsFound, byte[]? Value)> ReadAsync(
        string key,
        IBufferWriter<byte>? destination,
        CancellationToken token
    )
    {
        long began = Begin();
        Answer answer = await _pool
            .ExecuteAsync(
                new Command(CommandKind.Read, key) { Destination = destination, WantsArray = destination is null },
                token
            )
            .ConfigureAwait(false);
        bool isFound = answer.Kind == AnswerKind.Done;
        if (isFound && answer.Expiry.Window is not null)
        {
            await ProlongAsync(key, answer, token).ConfigureAwait(false);
        }

        _metrics.End(began, "get");
        if (answer.Kind is AnswerKind.Done or AnswerKind.Absent)
        {
            _metrics.Found(isFound);
        }
        else
        {
            Fail(answer);
        }

        return (isFound, answer.Value);
    }

    /// <summary>Stores an entry.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask StoreAsync(
        string key,
        ReadOnlySequence<byte> value,
        DistributedCacheEntryOptions options,
        CancellationToken token
    )
    {
        long began = Begin();
        DateTimeOffset now = _time.GetUtcNow();
        EntryExpiry expiry = EntryExpiry.From(options, now);
        Answer answer;
        if (value.Length > _options.MaxValueLength)
        {
            string reason = $"{nameof(_options.MaxValueLength)} is {_options.MaxValueLength}";
            answer = new Answer(AnswerKind.TooLarge) { Error = reason };
        }
        else
        {
            // What has ended already is as good as removed, and must not leave the old value behind.
            Command command = expiry.HasEnded(now)
                ? new Command(CommandKind.Remove, key)
                : new Command(CommandKind.Store, key)
                {
                    Value = value,
                    Expiry = expiry,
                    TimeToLive = expiry.TimeToLive(now),
                };
            answer = await _pool.ExecuteAsync(command, token).ConfigureAwait(false);
        }

        if (answer.Kind == AnswerKind.TooLarge)
        {
            await RefuseAsync(key, value.Length, answer.Error!, token).ConfigureAwait(false);
        }
        else
        {
            Fail(answer);
        }

        _metrics.End(began, "set");
    }

    /// <summary>Moves the end of an entry on if it has a window.</summary>
    public async ValueTask RefreshAsync(string key, CancellationToken token)
    {
        long began = Begin();
        Answer answer = await _pool.ExecuteAsync(new Command(CommandKind.Look, key), token).ConfigureAwait(false);
        if (
            answer.Kind == AnswerKind.Done
            && EntryExpiry.TryFromFlags(answer.Flags, out EntryExpiry expiry, out bool isWhole)
            && expiry.Window is not null
        )
        {
            answer = isWhole
                ? answer with
                {
                    Expiry = expiry,
                }
                : await _pool.ExecuteAsync(new Command(CommandKind.Read, key), token).ConfigureAwait(false);
            if (answer.Kind == AnswerKind.Done)
            {
                await ProlongAsync(key, answer, token).ConfigureAwait(false);
            }
        }

        _metrics.End(began, "refresh");
        Fail(answer);
    }

    /// <summary>Removes an entry, if it is there.</summary>
    public async ValueTask RemoveAsync(string key, CancellationToken token)
    {
        long began = Begin();
        Answer answer = await _pool.ExecuteAsync(new Command(CommandKind.Remove, key), token).ConfigureAwait(false);
        _metrics.End(began, "remove");
        Fail(answer);
    }

    /// <summary>Ends all connections.</summary>
    public Task StopAsync() => _stop.Value;

    private long Begin()
    {
        ObjectDisposedException.ThrowIf(_stop.IsValueCreated, typeof(CamCubeCache));
        return _metrics.Begin();
    }

    /// <summary>
    /// Gives an entry its full window again, if it has less: at most once a second for one entry, since servers count
    /// seconds. A value that another client stores between reading and touching would be left with the time of the old
    /// one; the answer shows that (another version), and the new one gets its own time back. Failures are not the
    /// reader's: the entry ends early, no more.
    /// </summary>
    private async ValueTask ProlongAsync(string key, Answer entry, CancellationToken token)
    {
        TimeToLive wanted = entry.Expiry.TimeToLive(_time.GetUtcNow());
        if (wanted.IsMetBy(entry.SecondsLeft))
        {
            return;
        }

        for (int i = 0; i < MostRepairs && entry.Kind == AnswerKind.Done; i++)
        {
            Answer touched = await _pool
                .ExecuteAsync(
                    new Command(CommandKind.Touch, key) { TimeToLive = entry.Expiry.TimeToLive(_time.GetUtcNow()) },
                    token
                )
                .ConfigureAwait(false);
            if (touched.Kind != AnswerKind.Done || touched.Cas == entry.Cas)
            {
                return;
            }

            entry = await _pool.ExecuteAsync(new Command(CommandKind.Read, key), token).ConfigureAwait(false);
        }
    }

    private async ValueTask RefuseAsync(string key, long length, string reason, CancellationToken token)
    {
        _metrics.Failed(CacheFailure.TooLarge);
        Answer removed = await _pool.ExecuteAsync(new Command(CommandKind.Remove, key), token).ConfigureAwait(false);
        if (_options.OnOversize == OversizeBehavior.Throw)
        {
            throw new CamCubeCacheException(
                CacheFailure.TooLarge,
                $"The value of {length} bytes is too large for the cache: {reason}."
            );
        }

        CacheClientLog.Dropped(_logger, length, reason);
        Fail(removed);
    }

    private void Fail(in Answer answer)
    {
        if (answer.Kind is not (AnswerKind.Lost or AnswerKind.Refused))
        {
            return;
        }

        CacheFailure failure = answer.Kind == AnswerKind.Lost ? CacheFailure.NoServer : CacheFailure.Refused;
        _metrics.Failed(failure);
        if (_options.OnOutage == OutageBehavior.Throw)
        {
            throw new CamCubeCacheException(failure, answer.Error!);
        }
    }
}
