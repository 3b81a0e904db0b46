using CamCube.Runtime;
using CamCube.Runtime.Core;
using CamCube.Runtime.Services;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Experiments.Churn;

/// <summary>A cube under churn: fails and starts servers as time passes, and judges what they do. One thread.</summary>
internal sealed class ChurnRun : IDisposable
{
    private readonly SimulatedCube _cube;
    private readonly ServerLog[] _logs;
    private readonly RootOracle _oracle;
    private readonly Judge _judge;
    private readonly DrawStream _random;
    private readonly PriorityQueue<int, long> _starts = new();
    private readonly long _beginNanos;
    private readonly double _downNanos;
    private readonly double _gapNanos;
    private long _nextFailure;
    private int _running;
    private int _failures;
    private double _runningNanos;
    private long _notedNanos;

    /// <summary>A cube of which the usual part is down; nobody sends until that has been noticed.</summary>
    public ChurnRun(ChurnOptions options)
    {
        TorusShape shape = options.Shape;
        _beginNanos = (3 * options.DetectionTime.Ticks * 100) + 500_000_000;
        EndNanos = _beginNanos + (options.Duration.Ticks * 100);
        _logs = [.. Enumerable.Range(0, shape.Count).Select(_ => new ServerLog())];
        _oracle = new RootOracle(shape);
        _judge = new Judge(shape, _oracle, _logs);
        _random = new DrawStream(options.Seed, "churn");
        _gapNanos = 1e9 / options.FailuresPerSecond;
        _downNanos = options.PartDown * shape.Count * _gapNanos;
        _cube = new SimulatedCube(
            shape,
            [ServiceDefinition.Of(a => new RandomKeyService(a.Server, options, _beginNanos, EndNanos, _logs))],
            new SimulatorOptions { Seed = options.Seed },
            new ServerOptions { Liveness = new LivenessOptions { DetectionTime = options.DetectionTime } }
        );
        _running = shape.Count;
        foreach (int rank in _random.Choose((int)Math.Round(options.PartDown * shape.Count), shape.Count))
        {
            Stop(rank);
            _starts.Enqueue(rank, _beginNanos + (long)(_random.NextDouble() * _downNanos));
        }

        _nextFailure = _beginNanos + (long)_random.NextExponential(_gapNanos);
    }

    /// <summary>When the measured time is over, and with it the sending and the churn.</summary>
    public long EndNanos { get; }

    /// <summary>Virtual time.</summary>
    public long NowNanos => _cube.NowNanos;

    /// <summary>Lets time pass, with all that fails and returns in it.</summary>
    public void AdvanceTo(long nanos)
    {
        for (; ; )
        {
            long start = _starts.TryPeek(out _, out long due) ? due : long.MaxValue;
            long next = Math.Min(start, _nextFailure);
            if (next >= Math.Min(nanos, EndNanos))
            {
                break;
            }

            JudgeUpTo(next);
            if (start <= _nextFailure)
            {
                Start(_starts.Dequeue());
            }
            else
            {
                Fail();
            }
        }

        JudgeUpTo(nanos);
    }

    /// <summary>What came out so far.</summary>
    public ChurnResult Result() =>
        new()
        {
            Failures = _failures,
            MeanRunning = _runningNanos / Math.Max(1, _notedNanos - _beginNanos),
            Sent = _logs.Sum(log => log.Sent),
            Delivered = _judge.Delivered,
            Misdelivered = _judge.Misdelivered,
            Misdeliveries = _judge.InWords,
            DeliveredInMinority = _judge.InMinority,
            Unsent = _logs.Sum(log => log.Unsent),
            Returns = _judge.Returns,
            MeanReturnMillis = _judge.MeanReturnMillis,
            PacketHops = _cube.PacketHops,
            TraceHash = _cube.TraceHash,
        };

    /// <inheritdoc/>
    public void Dispose() => _cube.Dispose();

    // Acts take effect between events: what is judged happened before them.
    private void JudgeUpTo(long nanos)
    {
        _cube.AdvanceTo(nanos);
        _judge.JudgeNow();
        if (nanos > _beginNanos && nanos <= EndNanos)
        {
            _runningNanos += _running * (double)(nanos - Math.Max(_notedNanos, _beginNanos));
            _notedNanos = nanos;
        }
    }

    private void Fail()
    {
        int rank;
        do
        {
            rank = _random.Next(_cube.Shape.Count);
        } while (!_oracle.IsRunning(rank));

        _failures++;
        Stop(rank);
        _starts.Enqueue(rank, NowNanos + (long)_downNanos);
        _nextFailure = NowNanos + Math.Max(1, (long)_random.NextExponential(_gapNanos));
    }

    private void Stop(int rank)
    {
        _cube.Kill(rank);
        _oracle.SetRunning(rank, false);
        _running--;
    }

    private void Start(int rank)
    {
        _cube.Revive(rank);
        _oracle.SetRunning(rank, true);
        _judge.NoteStart(rank, NowNanos);
        _running++;
    }
}
