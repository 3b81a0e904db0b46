using System.Buffers;
using System.Globalization;
using System.Text;
using CamCube.Services.Cache;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.Histories;

/// <summary>One client of the cache: one operation at a time through a random running server, judged when it
/// ends.</summary>
public sealed class CacheClient
{
    private const int HotKeys = 3;
    private readonly SwarmCube _cube;
    private readonly CacheOracle _oracle;
    private readonly CacheClientsChecker _ends;
    private readonly CacheCounting _counting;
    private readonly Random _random;
    private readonly int _keys;
    private readonly long _longestNanos;
    private readonly TimeSpan _takeover;
    private readonly TimeSpan _lease;
    private readonly bool _isBacked;
    private readonly ArrayBufferWriter<byte> _into = new();
    private Task<CacheReply>? _running;
    private CacheChange? _change;
    private CacheOperation _operation;
    private string _key = "";
    private int _at;
    private int _run;
    private long _began;

    public CacheClient(
        SwarmCube cube,
        CacheOracle oracle,
        CacheClientsChecker ends,
        int number,
        int keys,
        long longestNanos,
        CacheOptions options
    )
    {
        (_cube, _oracle, _ends, _keys, _longestNanos) = (cube, oracle, ends, keys, longestNanos);
        (_takeover, _lease) = (
            options.TakeoverDelay,
            options.DefaultReplicas == 0 ? default : options.CopyLease + options.CopyDrift
        );
        _isBacked = options.Backed.Count > 0;
        string counter = string.Create(CultureInfo.InvariantCulture, $"counter-{number}");
        _counting = new CacheCounting(counter, (long)options.Timeout.TotalNanoseconds);
        _random = SwarmRandom.Of(cube.Options.Seed, $"cache client {number}");
    }

    /// <summary>Operations that ended, by how.</summary>
    public SwarmTally Tally { get; } = new();

    /// <summary>Whether an operation is going on.</summary>
    public bool IsRunning => _running is not null;

    /// <summary>Checks the client's counter.</summary>
    public CacheCounting Counting => _counting;

    /// <summary>Looks whether the operation has ended, and begins the next if it may.</summary>
    public void Step(bool mayBegin)
    {
        long now = _cube.Cube.NowNanos;
        if (_running is not null)
        {
            bool isGone = _cube.StopsOf(_at) != _run;
            if (!_running.IsCompleted && !isGone)
            {
                _ends.LookAt(_operation, _key, Through, _began, now, _longestNanos);
                return;
            }

            Finish(isGone, now);
        }

        if (mayBegin)
        {
            Begin(now);
        }
    }

    private string Through => _cube.Cube.Shape.At(_at).ToString();

    // docs/cache.md, Limits: a stand-in waits for TakeoverDelay; a root that notices even later that it is cut off
    // still answers, and what it gives as a copy is served for a lease more.
    private bool HadTwoRoots(long since, long now) =>
        _cube.Roots.HadTwoRoots(
            Key.OfName(_key).Route,
            (long)_takeover.TotalNanoseconds,
            since - (long)_lease.TotalNanoseconds,
            now
        );

    // Who is the key's root now, in its own view: for the message of a failure.
    private string Describe()
    {
        Key memId = Key.OfName(_key);
        var roots = Enumerable
            .Range(0, _cube.Cube.Shape.Count)
            .Where(r =>
                _cube.Truth.Runs(r) && _cube.Cube.TopologyOf(r).HasKeys && _cube.Cube.TopologyOf(r).IsRoot(memId)
            )
            .Select(r => $"{_cube.Cube.Shape.At(r)} in part {_cube.Truth.ComponentOf(r)}");
        return $"{Through} in part {_cube.Truth.ComponentOf(_at)} (home {memId.HomeIn(_cube.Cube.Shape)}, root now: "
            + $"{string.Join(", ", roots)})";
    }

    private void Begin(long now)
    {
        _at = _random.Next(_cube.Cube.Shape.Count);
        // Half of all goes to few keys, so that copies of them are read, and end by changes.
        int kind = _random.Next(20),
            number = _random.Next(_random.Next(2) == 0 ? Math.Min(HotKeys, _keys) : _keys);
        int length = _random.Next(50) == 0 ? _random.Next(8, 100_000) : _random.Next(8, 300);
        if (!_cube.Truth.Runs(_at) || _cube.Cube.IsPaused(_at))
        {
            // Nobody can call a server that stands still; what was called before goes on afterwards, and is judged.
            return;
        }

        (_run, _began) = (_cube.StopsOf(_at), now);
        _into.ResetWrittenCount();
        byte[]? value = null;
        if (kind > 15)
        {
            _key = _counting.Key;
            _operation = _counting.Count is null ? CacheOperation.Set : CacheOperation.Increment;
            value = _counting.Count is null ? "0"u8.ToArray() : null;
        }
        else
        {
            _key = string.Create(CultureInfo.InvariantCulture, $"key-{number}");
            _operation =
                kind < 10 ? CacheOperation.Get
                : kind < 15 ? CacheOperation.Set
                : CacheOperation.Delete;
            if (_operation != CacheOperation.Get)
            {
                _change = _oracle.Begin(_key, length, _operation == CacheOperation.Delete, now);
                value = _operation == CacheOperation.Set ? CacheOracle.ValueOf(_change.Id, length) : null;
            }
        }

        _running = _cube
            .Cube.Service<CacheService>(_at)
            .ExecuteAsync(
                new CacheRequest
                {
                    Terms = new CacheTerms { Operation = _operation, Delta = 1 },
                    Key = Encoding.Latin1.GetBytes(_key),
                    Value = value,
                    Into = _into,
                }
            )
            .AsTask();
    }

    private void Finish(bool isGone, long now)
    {
        // A client whose server died does not know how it ended; its last attempt may be done until that attempt's
        // deadline.
        CacheReply reply = isGone ? new CacheReply(CacheStatus.TimedOut) : _running!.GetAwaiter().GetResult();
        Tally.Add($"cache {Verb(_operation)}: {(isGone ? "client's server stopped" : reply.Status)}");

        // The key-value store says that such a change is done once or never, perhaps later.
        bool mayComeLater = _isBacked && reply.Status == CacheStatus.TimedOut;
        if (_key == _counting.Key)
        {
            _counting.End(_operation, reply, isGone || mayComeLater, _began, mayComeLater ? long.MaxValue / 2 : now);
        }
        else if (_change is not null)
        {
            (_change.Ended, _change.IsAcknowledged) = (
                mayComeLater ? long.MaxValue
                : isGone ? now + _longestNanos
                : now,
                reply.Status == CacheStatus.Done
            );
            _oracle.Trim(_key, now);
        }
        else if (reply.Status == CacheStatus.Done)
        {
            _oracle.Check(_key, _into.WrittenSpan, _began, Describe, since => HadTwoRoots(since, now));
        }

        (_running, _change) = (null, null);
    }

    private static string Verb(CacheOperation operation) =>
        operation switch
        {
            CacheOperation.Get => "get",
            CacheOperation.Set => "set",
            CacheOperation.Delete => "delete",
            _ => "incr",
        };
}
