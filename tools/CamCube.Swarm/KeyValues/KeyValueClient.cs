using System.Buffers;
using CamCube.Histories;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Swarm;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Swarm.KeyValues;

/// <summary>One client of the store: one operation at a time, each through some server. When that is stopped the client
/// is gone, and another comes.</summary>
internal sealed class KeyValueClient
{
    private const int MostClients = 1_000;
    private readonly SwarmCube _cube;
    private readonly KeyValueSettings _settings;
    private readonly KeyValueHistory _history;
    private readonly KeyValueWatch _watch;
    private readonly Random _random;
    private readonly Dictionary<string, ulong> _seen = [];
    private readonly bool _isOfCrowd;
    private Running? _running;
    private KeyValueVerb _verb;
    private string _key = "";
    private ulong _number;
    private ulong _asked;
    private int _at;
    private int _run;
    private int _name;
    private long _began;

    public KeyValueClient(
        SwarmCube cube,
        KeyValueSettings settings,
        KeyValueHistory history,
        KeyValueWatch watch,
        int name
    )
    {
        (_cube, _settings, _history, _watch, _name) = (cube, settings, history, watch, name);
        _isOfCrowd = name >= settings.Clients;
        _random = SwarmRandom.Of(cube.Options.Seed, $"kv client {name}");
    }

    /// <summary>Operations that ended, by how.</summary>
    public SwarmTally Tally { get; } = new();

    /// <summary>Whether an operation is going on.</summary>
    public bool IsRunning => _running is not null;

    /// <summary>The key of the last operation.</summary>
    public string Key => _key;

    /// <summary>How the last operation ended.</summary>
    public KeyValueStatus Status { get; private set; }

    /// <summary>Whether the last operation was done, or refused for a reason.</summary>
    public bool IsAnswered => Status is Done or NotFound or Conflict or TooLarge;

    /// <summary>For messages: what it did last.</summary>
    public string Doing => $"{_verb} of {_key} through {_cube.Cube.Shape.At(_at)}, begun at {_began / 1e6:F3} ms";

    /// <summary>Looks whether the operation has ended. True: none is going on.</summary>
    public bool Look()
    {
        if (_running is null)
        {
            return true;
        }

        bool isGone = _cube.StopsOf(_at) != _run || StoreAt(_at) != _running.Store;
        long now = _cube.Cube.NowNanos;
        if (!isGone && _running.Answer is null)
        {
            _watch.LookAtOpen(now - _began <= _settings.MostNanos, now, () => Doing);
            return false;
        }

        Finish(isGone ? null : _running.Answer, now);
        return true;
    }

    /// <summary>Begins something, or waits for a while.</summary>
    public void Draw()
    {
        if (_random.Next(_settings.PauseMillis) > 0)
        {
            return;
        }

        string key = _isOfCrowd ? KeyValueSettings.HotKey : _settings.DrawKey(_random);
        Begin(_random.Next(_cube.Cube.Shape.Count), DrawVerb(), key);
    }

    /// <summary>Begins an operation, if somebody can at this server.</summary>
    public bool Begin(int rank, KeyValueVerb verb, string key)
    {
        int length =
            verb == KeyValueVerb.PutTooLong ? _settings.Store.MaxValueLength + 1 : _settings.DrawLength(_random);
        TimeSpan wait = _settings.Store.Silence * (2 * _random.NextDouble());
        if (!_cube.Truth.Runs(rank) || _cube.Cube.IsPaused(rank))
        {
            return false;
        }

        (_at, _run, _verb, _key, _began) = (rank, _cube.StopsOf(rank), verb, key, _cube.Cube.NowNanos);
        _asked = _seen.GetValueOrDefault(key);
        if (StoreAt(rank) is not { } store)
        {
            return false;
        }

        IServer server = _cube.Cube.ServerOf<KeyValueService>(rank);
        var running = new Running { Store = store };
        _running = running;

        long began = server.NowNanos;
        server.Loop.Run(async () =>
        {
            KeyValueAnswer answer = await AskAsync(store, running, length, wait);
            (running.Answer, running.TookNanos) = (
                answer,
                ClientClock.MostNanos(_cube.Options, server.NowNanos - began)
            );
        });
        return true;
    }

    // Null: its disk has failed, and it is started again.
    private KeyValueService? StoreAt(int rank) => KeyValueRest.StoreAt(_cube, rank);

    private ValueTask<KeyValueAnswer> AskAsync(KeyValueService store, Running into, int length, TimeSpan wait)
    {
        KeyValueKey key = KeyValueKey.Of(_key);
        return _verb switch
        {
            KeyValueVerb.Get => store.GetAsync(key, KeyValueReads.Latest, into.Value, into.Metadata),
            KeyValueVerb.GetAny => store.GetAsync(key, KeyValueReads.Any, into.Value, into.Metadata),
            KeyValueVerb.Wait => store.WaitAsync(key, _asked, wait),
            KeyValueVerb.Delete or KeyValueVerb.DeleteIfVersion or KeyValueVerb.DeleteIfPresent => store.DeleteAsync(
                key,
                Condition
            ),
            _ => Put(store, key, length),
        };
    }

    private KeyValueCondition Condition =>
        _verb switch
        {
            // A version that nobody has is no version.
            KeyValueVerb.PutIfVersion or KeyValueVerb.DeleteIfVersion when _asked > 0 => KeyValueCondition.Is(_asked),
            KeyValueVerb.PutIfAbsent or KeyValueVerb.PutIfVersion => KeyValueCondition.Absent,
            KeyValueVerb.PutIfPresent or KeyValueVerb.DeleteIfPresent or KeyValueVerb.DeleteIfVersion =>
                KeyValueCondition.Present,
            _ => default,
        };

    private ValueTask<KeyValueAnswer> Put(KeyValueService store, KeyValueKey key, int length)
    {
        _number = _history.Begin(_key, length);
        var put = new KeyValuePut { Condition = Condition, Metadata = KeyValueHistory.MetadataOf(_number) };
        return store.PutAsync(key, KeyValueHistory.ValueOf(_number, length), put);
    }

    private KeyValueVerb DrawVerb()
    {
        int verb = _random.Next(20);
        return _random.Next(10) >= _settings.ChangesOfTen
            ? verb switch
            {
                < 16 => KeyValueVerb.Get,
                < 18 => KeyValueVerb.GetAny,
                _ => KeyValueVerb.Wait,
            }
            : verb switch
            {
                < 9 => KeyValueVerb.Put,
                < 12 => KeyValueVerb.PutIfVersion,
                < 14 => KeyValueVerb.PutIfAbsent,
                14 => KeyValueVerb.PutIfPresent,
                15 => _random.Next(10) == 0 ? KeyValueVerb.PutTooLong : KeyValueVerb.PutIfPresent,
                < 18 => KeyValueVerb.Delete,
                18 => KeyValueVerb.DeleteIfVersion,
                _ => KeyValueVerb.DeleteIfPresent,
            };
    }

    private bool IsPut =>
        _verb is KeyValueVerb.Put or KeyValueVerb.PutIfVersion or KeyValueVerb.PutIfAbsent or KeyValueVerb.PutIfPresent;

    private bool IsDelete =>
        _verb is KeyValueVerb.Delete or KeyValueVerb.DeleteIfVersion or KeyValueVerb.DeleteIfPresent;

    private bool IsRead => _verb is KeyValueVerb.Get or KeyValueVerb.GetAny;

    private void Finish(KeyValueAnswer? told, long now)
    {
        Running running = _running!;
        _running = null;
        KeyValueAnswer answer = told ?? new KeyValueAnswer(IsPut || IsDelete ? Unknown : Unavailable);
        Status = answer.Status;
        Tally.Add($"kv {_verb}: {(told is null ? "client's server stopped" : Status)}");
        _watch.LookAtAnswer(IsPossible(Status), now, () => $"{Doing} ended as {answer}");
        string? value = null;
        if (IsRead && Status == Done)
        {
            value = _history.Identify(
                _key,
                running.Value.WrittenSpan,
                running.Metadata.WrittenSpan,
                answer.Length,
                now
            );
        }

        // What may be old explains nothing, and needs no explanation.
        if (_verb is not (KeyValueVerb.GetAny or KeyValueVerb.PutTooLong))
        {
            if (ToHistory(answer, value, Math.Min(now, _began + running.TookNanos)) is { } operation)
            {
                _history.Add(operation);
            }

            if (Status == Done && _verb != KeyValueVerb.Wait)
            {
                ulong number =
                    IsDelete ? 0
                    : IsPut ? _number
                    : KeyValueHistory.NumberIn(running.Metadata.WrittenSpan);
                _watch.LookAtTold(_key, answer.Version, number, now, () => $"{Doing}");
            }

            _seen[_key] = Status is Done or Conflict && !IsDelete ? answer.Version : _seen.GetValueOrDefault(_key);
        }

        if (told is null)
        {
            (_name, Status) = (_name + MostClients, Unknown);
            _seen.Clear();
        }
    }

    private bool IsPossible(KeyValueStatus status) =>
        status switch
        {
            Done => _verb != KeyValueVerb.PutTooLong,
            NotFound => !IsPut && (!IsDelete || Condition == default),
            Conflict => _verb == KeyValueVerb.Wait || ((IsPut || IsDelete) && Condition != default),
            TooLarge => _verb == KeyValueVerb.PutTooLong,
            Unavailable => true,
            Full => (IsPut || IsDelete) && _cube.Options.Has(FaultKind.FullDisk),
            Unknown => IsPut || IsDelete,
            _ => false,
        };

    private HistoryOperation? ToHistory(in KeyValueAnswer answer, string? value, long now)
    {
        var operation = new HistoryOperation
        {
            Client = _name,
            Key = _key,
            Begin = _began,
            End = now,
            Version = answer.Version,
            Answer = answer.Status switch
            {
                Done => HistoryAnswer.Done,
                NotFound => HistoryAnswer.NotFound,
                Conflict => HistoryAnswer.Conflict,
                Unavailable or Full => HistoryAnswer.Unavailable,
                _ => HistoryAnswer.Unknown,
            },
        };
        if (_verb == KeyValueVerb.Wait)
        {
            return ToHistory(answer, operation);
        }

        if (IsRead)
        {
            return operation with { Kind = HistoryKind.Get, Value = value };
        }

        KeyValueCondition condition = Condition;
        return operation with
        {
            Kind = IsPut ? HistoryKind.Put : HistoryKind.Delete,
            Value = IsPut ? KeyValueHistory.NameOf(_number) : null,
            IfPresent = condition.Kind == KeyValueConditionKind.Present,
            IfVersion = condition.Kind switch
            {
                KeyValueConditionKind.Absent => 0,
                KeyValueConditionKind.Version => condition.Version,
                _ => null,
            },
        };
    }

    // Who waited, and was told another version, has seen what one sees who asked for the old one in vain. That nothing
    // has changed is a guess.
    private HistoryOperation? ToHistory(in KeyValueAnswer answer, HistoryOperation operation) =>
        answer.Status switch
        {
            Done => operation with
            {
                Kind = HistoryKind.Put,
                Value = "none",
                IfVersion = _asked,
                Answer = HistoryAnswer.Conflict,
            },
            NotFound => operation with { Kind = HistoryKind.Get },
            _ => null,
        };

    private sealed class Running
    {
        public required KeyValueService Store { get; init; }

        public KeyValueAnswer? Answer { get; set; }

        public long TookNanos { get; set; }

        public ArrayBufferWriter<byte> Value { get; } = new();

        public ArrayBufferWriter<byte> Metadata { get; } = new();
    }
}
