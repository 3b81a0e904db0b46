using System.Buffers;
using System.Globalization;
using CamCube.Services.Cache.Tests.Cubes;
using CamCube.Swarm.Histories;

namespace CamCube.Services.Cache.Tests.Backing;

/// <summary>A client that does one operation after the other through any running server, on keys that all share and on
/// a counter of its own; the oracle judges what it reads. A hostile one asks for what cannot be, besides.</summary>
internal sealed class BackedClient(BackedCube cube, CacheOracle oracle, int number, bool isHostile)
{
    private const int Keys = 5;
    private readonly Random _random = new(1_000 + number);
    private readonly ArrayBufferWriter<byte> _into = new();
    private readonly string _counter = string.Create(CultureInfo.InvariantCulture, $"s:counter-{number}");
    private Task<CacheReply>? _running;
    private CacheChange? _change;
    private CacheOperation _operation;
    private string _key = "";
    private int _at;
    private long _began;
    private ulong _least;
    private ulong _most;
    private bool _hasBegun;

    /// <summary>Operations by how they ended.</summary>
    public Dictionary<CacheStatus, int> Ends { get; } = [];

    public bool IsRunning => _running is not null;

    /// <summary>When what runs began.</summary>
    public long Began => _began;

    public void Step(bool mayBegin)
    {
        if (_running is not null)
        {
            bool isGone = !cube.Cube[_at].IsRunning;
            if (!_running.IsCompleted && !isGone)
            {
                return;
            }

            End(
                isGone || !_running.IsCompleted
                    ? new CacheReply(CacheStatus.TimedOut)
                    : _running.GetAwaiter().GetResult()
            );
        }

        if (mayBegin)
        {
            Begin();
        }
    }

    private void Begin()
    {
        _at = _random.Next(cube.Cube.Shape.Count);
        if (!cube.Cube[_at].IsRunning)
        {
            return;
        }

        _began = cube.Cube.NowNanos;
        _into.ResetWrittenCount();
        if (isHostile && _random.Next(2) == 0)
        {
            Harm();
            return;
        }

        int kind = _random.Next(20),
            length = _random.Next(30) == 0 ? _random.Next(8, 90_000) : _random.Next(8, 300);
        byte[]? value = null;
        _key = string.Create(CultureInfo.InvariantCulture, $"s:key-{_random.Next(Keys)}");
        _operation =
            kind < 11 ? CacheOperation.Get
            : kind < 15 ? CacheOperation.Set
            : kind < 16 ? CacheOperation.Delete
            : CacheOperation.Increment;
        if (_operation == CacheOperation.Increment)
        {
            _key = _counter;
            _operation = _hasBegun ? CacheOperation.Increment : CacheOperation.Set;
            value = "0"u8.ToArray();
        }
        else if (_operation != CacheOperation.Get)
        {
            _change = oracle.Begin(_key, length, _operation == CacheOperation.Delete, _began);
            value = CacheOracle.ValueOf(_change.Id, length);
        }

        var terms = new CacheTerms { Operation = _operation, Delta = 1 };
        _running = cube.Start(_at, terms, _key, value, _into).AsTask();
    }

    // On keys of its own, or without an effect on those of others.
    private void Harm()
    {
        _key = "s:harm";
        _operation = CacheOperation.Inspect;
        CacheTerms terms = _random.Next(6) switch
        {
            0 => new CacheTerms { Operation = CacheOperation.Increment, Delta = ulong.MaxValue },
            1 => new CacheTerms { Operation = CacheOperation.CompareAndSwap, Cas = (ulong)_random.NextInt64() },
            2 => new CacheTerms { Operation = CacheOperation.Set, Expiry = _random.NextInt64() },
            3 => new CacheTerms { Operation = CacheOperation.Prepend, Options = CacheTermOptions.Vivify },
            4 => new CacheTerms
            {
                Operation = (CacheOperation)_random.Next(13),
                Options = (CacheTermOptions)_random.Next(256),
            },
            _ => new CacheTerms { Operation = CacheOperation.GetAndTouch, Expiry = -1 },
        };
        byte[] value = CacheCube.Value(_random.Next(4) == 0 ? (1 << 20) + 1 : _random.Next(70_000), _random.Next());
        _running = cube.Start(_at, terms, _key, value, _into).AsTask();
    }

    private void End(CacheReply reply)
    {
        Ends[reply.Status] = Ends.GetValueOrDefault(reply.Status) + 1;
        long now = cube.Cube.NowNanos;
        if (_key == _counter)
        {
            Count(reply);
        }
        else if (_change is not null)
        {
            // Once or never, perhaps later: so the store says.
            _change.Ended = reply.Status == CacheStatus.TimedOut ? long.MaxValue : now;
            _change.IsAcknowledged = reply.Status is CacheStatus.Done or CacheStatus.NotFound;
        }
        else if (_operation == CacheOperation.Get && reply.Status == CacheStatus.Done)
        {
            int at = _at;
            oracle.Check(_key, _into.WrittenSpan, _began, () => $"{at}", _ => false);
        }

        (_running, _change) = (null, null);
    }

    private void Count(CacheReply reply)
    {
        if (reply.Status == CacheStatus.Done && _operation == CacheOperation.Increment)
        {
            Assert.InRange(reply.Number, _least + 1, _most + 1);
            (_least, _most) = (reply.Number, reply.Number);
        }
        else if (reply.Status == CacheStatus.TimedOut && _operation == CacheOperation.Increment)
        {
            _most++;
        }
        else if (_operation == CacheOperation.Set)
        {
            // Unknown: asked for again, until it is for certain. An earlier one that comes late is of the same number.
            _hasBegun = reply.Status == CacheStatus.Done;
        }
        else
        {
            Assert.Equal(CacheStatus.StoreUnavailable, reply.Status);
        }
    }
}
