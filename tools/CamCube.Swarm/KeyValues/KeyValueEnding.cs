using CamCube.Services.KeyValue;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.KeyValues;

/// <summary>
/// The end of a run, when nothing is done to the cube any more and every server is back: the store answers for every
/// key, goes on answering, and comes to rest. What clients then read is part of the history.
/// </summary>
internal sealed class KeyValueEnding(
    KeyValueSettings settings,
    KeyValueHistory history,
    List<KeyValueClient> clients,
    KeyValueWatch watch
)
{
    private const long WorkNanos = 40_000_000;
    private const long PauseNanos = 20_000_000;
    private const int Readers = 3;
    private readonly PromiseChecker _progress = new("kv-progress");
    private readonly PromiseChecker _settled = new("kv-settled");
    private readonly Queue<(int Rank, string Key)> _reads = new();
    private SwarmCube? _cube;
    private Random? _random;
    private KeyValueRest? _rest;
    private LostStores? _lost;
    private Part _part;
    private long _beganNanos;
    private long _availableNanos;
    private long _settledNanos;
    private long _lookNanos;

    private enum Part
    {
        Running,
        Operating,
        Recovering,
        Working,
        Reading,
        Settling,
        Over,
    }

    /// <summary>What is checked.</summary>
    public IReadOnlyList<Checker> Checkers => [_progress, _settled];

    /// <summary>Whether nothing goes on any more.</summary>
    public bool IsOver => _part == Part.Over;

    public void Begin(SwarmCube cube, LostStores? lost)
    {
        _lost = lost;
        (_cube, _random) = (cube, SwarmRandom.Of(cube.Options.Seed, "kv ending"));
        _rest = new KeyValueRest(cube, settings, watch);
    }

    /// <summary>Once per virtual millisecond, from when nothing is done to the cube any more.</summary>
    public void Step()
    {
        long now = _cube!.Cube.NowNanos;
        switch (_part)
        {
            case Part.Running:
                ReviveAll();
                (_part, _beganNanos) = (Part.Operating, now);
                Operate(now);
                break;
            case Part.Operating:
                Operate(now);
                break;
            case Part.Recovering:
                Recover(now);
                break;
            case Part.Working:
                Work(now);
                break;
            case Part.Reading:
                Read(now);
                break;
            case Part.Settling:
                Settle(now);
                break;
            default:
                break;
        }
    }

    public void AddTo(SwarmTally tally)
    {
        tally.Add("kv operation in the history", history.Operations.Count);
        tally.Add("kv available again, ms", (_availableNanos - _beganNanos) / 1_000_000);
        tally.Add("kv settled, ms", _settledNanos / 1_000_000);
    }

    // Whoever has to do something by hand does it now.
    private void Operate(long now)
    {
        bool isLate = now - _beganNanos > settings.RecoveryNanos;
        if (_lost?.IsDone != false || isLate)
        {
            _progress.Check(!isLate, now, () => $"The operator is not done: {_lost!.Left}.");
            (_part, _beganNanos) = (Part.Recovering, now);
            Enqueue(1);
        }
    }

    private void ReviveAll()
    {
        for (int rank = 0; rank < _cube!.Truth.Shape.Count; rank++)
        {
            if (_lost?.MayRevive(rank) == false)
            {
                continue;
            }

            _cube.Revive(rank);
            if (KeyValueRest.StoreAt(_cube, rank) is null)
            {
                // Its disk failed, again and again: it would wait for long before it tried once more.
                _ = _cube.Cube.StartServiceAsync(rank, KeyValueWorkload.Name);
            }
        }
    }

    private void Enqueue(int readers)
    {
        foreach (string key in settings.Keys)
        {
            for (int i = 0; i < readers; i++)
            {
                _reads.Enqueue((_random!.Next(_cube!.Truth.Shape.Count), key));
            }
        }
    }

    // Every key answers once: until then it is asked for again.
    private void Recover(long now)
    {
        bool isLate = now - _beganNanos > settings.RecoveryNanos,
            isRunning = false;
        foreach (KeyValueClient client in clients)
        {
            bool wasRunning = client.IsRunning;
            if (!client.Look())
            {
                isRunning = true;
                continue;
            }

            if (wasRunning && !client.IsAnswered)
            {
                _progress.Check(
                    !isLate,
                    now,
                    () => $"{client.Doing} ended as {client.Status}, long after the last fault: {_rest!.Look()}"
                );
                if (!isLate)
                {
                    _reads.Enqueue((_random!.Next(_cube!.Truth.Shape.Count), client.Key));
                }
            }

            if (!isLate && _reads.TryDequeue(out (int Rank, string Key) next))
            {
                client.Begin(next.Rank, KeyValueVerb.Get, next.Key);
                isRunning = true;
            }
        }

        if (!isRunning && (isLate || _reads.Count == 0))
        {
            _progress.Check(!isLate, now, () => $"{_reads.Count} keys are not available.");
            _reads.Clear();
            (_part, _availableNanos, _lookNanos) = (isLate ? Part.Over : Part.Working, now, now);
        }
    }

    private void Work(long now)
    {
        bool isOver = now - _availableNanos > WorkNanos;
        if (LookAll(now) && isOver)
        {
            _part = Part.Reading;
            Enqueue(Readers);
        }

        foreach (KeyValueClient client in clients.Where(c => !isOver && !c.IsRunning))
        {
            client.Draw();
        }
    }

    private void Read(long now)
    {
        bool isIdle = LookAll(now);
        if (isIdle && _reads.Count == 0)
        {
            (_part, _lookNanos, _settledNanos) = (Part.Settling, now, now);
            return;
        }

        foreach (KeyValueClient client in clients)
        {
            if (!client.IsRunning && _reads.TryDequeue(out (int Rank, string Key) next))
            {
                client.Begin(next.Rank, KeyValueVerb.Get, next.Key);
            }
        }
    }

    // Nothing is in the way any more: everything must be answered. True: all is.
    private bool LookAll(long now)
    {
        bool isIdle = true;
        foreach (KeyValueClient client in clients.Where(static c => c.IsRunning))
        {
            if (client.Look())
            {
                _progress.Check(
                    client.IsAnswered,
                    now,
                    () => $"{client.Doing} ended as {client.Status}, without a fault."
                );
            }
            else
            {
                isIdle = false;
            }
        }

        return isIdle;
    }

    private void Settle(long now)
    {
        if (now < _lookNanos)
        {
            return;
        }

        _lookNanos = now + PauseNanos;
        string wrong = _rest!.Look();
        bool isLate = now - _settledNanos > settings.RecoveryNanos;
        if (wrong.Length == 0 || isLate)
        {
            _settled.NoteRight(_rest.Looked);
            _settled.Check(wrong.Length == 0, now, () => wrong);
            (_part, _settledNanos) = (Part.Over, now - _settledNanos);
        }
    }
}
