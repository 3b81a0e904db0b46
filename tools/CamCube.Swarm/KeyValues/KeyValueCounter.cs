using System.Buffers;
using System.Globalization;
using System.Text;
using CamCube.Histories;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.KeyValues;

/// <summary>One client that counts: it adds to keys that others add to, and reads them, at one server after the other.
/// Whatever is done twice, or lost, makes another sum.</summary>
internal sealed class KeyValueCounter
{
    private const int Keys = 2;
    private const int FirstName = 1_000_000;
    private readonly SwarmCube _cube;
    private readonly KeyValueSettings _settings;
    private readonly KeyValueHistory _history;
    private readonly Random _random;
    private Running? _running;
    private HistoryOperation? _doing;
    private int _name;
    private int _at;
    private int _run;
    private KeyValueService? _store;
    private bool _isEnding;
    private bool _hasEnded;

    public KeyValueCounter(SwarmCube cube, KeyValueSettings settings, KeyValueHistory history, int number)
    {
        (_cube, _settings, _history) = (cube, settings, history);
        _name = FirstName + number;
        _random = SwarmRandom.Of(cube.Options.Seed, $"kv counter {number}");
    }

    /// <summary>Operations that ended, by how.</summary>
    public SwarmTally Tally { get; } = new();

    /// <summary>Once per virtual millisecond.</summary>
    public void Step()
    {
        if (Look() && _random.Next(4 * _settings.PauseMillis) == 0)
        {
            Begin(_random.Next(4) == 0);
        }
    }

    /// <summary>The same, from when nothing is done to the cube any more: the keys are read until they were.</summary>
    public void End()
    {
        bool isIdle = Look();
        _isEnding = true;
        if (isIdle && !_hasEnded)
        {
            Begin(isRead: true);
        }
    }

    private void Begin(bool isRead)
    {
        int rank = _random.Next(_cube.Cube.Shape.Count);
        if (!_cube.Truth.Runs(rank) || _cube.Cube.IsPaused(rank) || KeyValueRest.StoreAt(_cube, rank) is not { } store)
        {
            return;
        }

        (_at, _run, _store) = (rank, _cube.StopsOf(rank), store);
        _doing = new HistoryOperation
        {
            Client = _name,
            Key = string.Create(CultureInfo.InvariantCulture, $"count-{(_isEnding ? _name : _random.Next()) % Keys}"),
            Kind = isRead ? HistoryKind.Get : HistoryKind.Add,
            By = isRead ? 0 : 1,
            Begin = _cube.Cube.NowNanos,
        };
        IServer server = _cube.Cube.ServerOf<KeyValueService>(rank);
        Running running = _running = new Running();
        KeyValueKey key = KeyValueKey.Of(_doing.Key);
        var change = KeyValueChange.Add(_doing.By);
        long began = server.NowNanos;
        server.Loop.Run(async () =>
        {
            KeyValueAnswer answer = isRead
                ? await store.GetAsync(key, KeyValueReads.Latest, running.Value, null)
                : await store.ChangeAsync(key, change, running.Value);
            (running.Answer, running.TookNanos) = (
                answer,
                ClientClock.MostNanos(_cube.Options, server.NowNanos - began)
            );
        });
    }

    // True: nothing goes on.
    private bool Look()
    {
        if (_running is not { } running)
        {
            return true;
        }

        bool isGone = _cube.StopsOf(_at) != _run || KeyValueRest.StoreAt(_cube, _at) != _store;
        if (!isGone && running.Answer is null)
        {
            return false;
        }

        _running = null;
        KeyValueAnswer answer = isGone ? new KeyValueAnswer(KeyValueStatus.Unknown) : running.Answer!.Value;
        Tally.Add($"kv {_doing!.Kind} of a counter: {answer.Status}");
        _hasEnded |= _isEnding && answer.Status is (KeyValueStatus.Done or KeyValueStatus.NotFound);
        _history.Add(
            _doing with
            {
                End = Math.Min(_cube.Cube.NowNanos, _doing.Begin + running.TookNanos),
                Version = answer.Version,
                Answer = answer.Status switch
                {
                    KeyValueStatus.Done => HistoryAnswer.Done,
                    KeyValueStatus.NotFound => HistoryAnswer.NotFound,
                    KeyValueStatus.Unknown => HistoryAnswer.Unknown,
                    _ => HistoryAnswer.Unavailable,
                },
                Value =
                    answer.Status == KeyValueStatus.Done ? Encoding.UTF8.GetString(running.Value.WrittenSpan) : null,
            }
        );
        _name += isGone ? 2 * Keys : 0;
        return true;
    }

    private sealed class Running
    {
        public KeyValueAnswer? Answer { get; set; }

        public long TookNanos { get; set; }

        public ArrayBufferWriter<byte> Value { get; } = new();
    }
}
