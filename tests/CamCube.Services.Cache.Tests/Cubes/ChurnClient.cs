using System.Buffers;
using System.Globalization;
using System.Text;
using CamCube.Swarm.Histories;

namespace CamCube.Services.Cache.Tests.Cubes;

/// <summary>One client under churn: one operation at a time through a random running server, checked when it
/// ends.</summary>
internal sealed class ChurnClient(CacheCube cube, CacheOracle oracle, int number, int keys, Random random)
{
    // Attempts times time-out, the longest wait of a root that has just become one, and a little.
    private const long LongestNanos = 4_500_000_000;
    private readonly string _counter = $"counter-{number}";
    private readonly ArrayBufferWriter<byte> _into = new();
    private Task<CacheReply>? _running;
    private CacheChange? _change;
    private Coordinate _at;
    private ulong _run;
    private CacheOperation _operation;
    private string _key = "";
    private long _began;
    private ulong? _count;
    private bool _countIsUncertain;

    public long Done { get; private set; }

    public long Errors { get; private set; }

    public long CountErrors { get; private set; }

    /// <summary>Whether the server it uses may be cut off: then it answers that it is, and that is no error.</summary>
    public bool MayBeCutOff { get; set; }

    public bool IsRunning => _running is not null;

    /// <summary>Looks whether the operation has ended, and starts the next.</summary>
    public void Step(bool startNext)
    {
        long now = cube.Cube.NowNanos;
        if (_running is not null)
        {
            bool isGone = !cube.Cube[_at].IsRunning || cube.Cube[_at].Status.Incarnation != _run;
            if (!_running.IsCompleted && !isGone)
            {
                Assert.True(
                    now - _began < LongestNanos,
                    $"{_operation} {_key} through {_at} hangs since {_began}, now {now}"
                );
                return;
            }

            Finish(isGone, now);
        }

        if (startNext)
        {
            Start(now);
        }
    }

    private void Start(long now)
    {
        do
        {
            _at = cube.Cube.Shape.At(random.Next(cube.Cube.Shape.Count));
        } while (!cube.Cube[_at].IsRunning || !(MayBeCutOff || cube.Cube[_at].Topology.HasMajority));

        _run = cube.Cube[_at].Status.Incarnation;
        _began = now;
        _key = $"key-{random.Next(keys)}";
        _into.ResetWrittenCount();
        int kind = random.Next(20);
        byte[]? value = null;
        _operation = kind switch
        {
            < 10 => CacheOperation.Get,
            < 15 => CacheOperation.Set,
            15 => CacheOperation.Delete,
            _ => _count is null ? CacheOperation.Set : CacheOperation.Increment,
        };
        if (kind > 15)
        {
            _key = _counter;
            value = _count is null ? "0"u8.ToArray() : null;
        }
        else if (_operation is CacheOperation.Set or CacheOperation.Delete)
        {
            int length = random.Next(50) == 0 ? random.Next(8, 200_000) : random.Next(8, 300);
            _change = oracle.Begin(_key, length, _operation == CacheOperation.Delete, now);
            value = _operation == CacheOperation.Set ? CacheOracle.ValueOf(_change.Id, length) : null;
        }

        _running = cube.Start(_at, _operation, _key, value, delta: 1, into: _into).AsTask();
    }

    private void Finish(bool isGone, long now)
    {
        // A client whose server died does not know how it ended; the last attempt may be done until its deadline.
        CacheStatus status = isGone ? CacheStatus.TimedOut : Outcome(_running!);
        long ended = isGone ? now + 1_000_000_000 : now;
        Done++;
        if (_key == _counter)
        {
            Count(status, isGone);
        }
        else if (_change is { } change)
        {
            (change.Ended, change.IsAcknowledged) = (ended, status == CacheStatus.Done);
            oracle.Trim(_key, now);
        }
        else if (status == CacheStatus.Done)
        {
            oracle.Check(_key, _into.WrittenSpan, _began, () => $"{_at}", static _ => false);
            Assert.Empty(oracle.Failures);
        }

        bool isError =
            status is not (CacheStatus.Done or CacheStatus.NotFound)
            && !isGone
            && !(MayBeCutOff && status == CacheStatus.Unavailable);
        if (isError && _operation is CacheOperation.Get or CacheOperation.Set)
        {
            Errors++;
        }
        else if (isError)
        {
            CountErrors++;
        }

        (_running, _change) = (null, null);
    }

    // Only this client writes its counter: it is what was counted last, or gone.
    private void Count(CacheStatus status, bool isGone)
    {
        if (status == CacheStatus.Done && _operation == CacheOperation.Set)
        {
            (_count, _countIsUncertain) = (0, false);
        }
        else if (status == CacheStatus.Done)
        {
            ulong number = Reply(_running!).Number,
                expected = _count!.Value + 1;
            Assert.True(
                number == expected || (_countIsUncertain && number == expected + 1),
                Text($"{_key}: {number}, not {expected}")
            );
            (_count, _countIsUncertain) = (number, false);
        }
        else if (status == CacheStatus.NotFound || isGone)
        {
            _count = null;
        }
        else if (status == CacheStatus.TimedOut)
        {
            Assert.False(_operation == CacheOperation.Increment && _count is null);
            _count = _countIsUncertain ? null : _count;
            _countIsUncertain = true;
        }
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private static CacheStatus Outcome(Task<CacheReply> task) => Reply(task).Status;

    private static CacheReply Reply(Task<CacheReply> task) => task.GetAwaiter().GetResult();
}
