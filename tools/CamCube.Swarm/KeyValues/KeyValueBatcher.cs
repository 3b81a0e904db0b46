using System.Buffers;
using System.Globalization;
using CamCube.Histories;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.KeyValues;

/// <summary>One client that changes several keys of one tag at once, under conditions, and reads one of them after the
/// other: whoever sees a part of a batch sees all of it from then on.</summary>
internal sealed class KeyValueBatcher
{
    private const int FirstName = 2_000_000;
    private const int MostLength = 200;
    private static readonly string[] Keys = ["{pair}a", "{pair}b", "{pair}c", "{pair}d"];
    private readonly SwarmCube _cube;
    private readonly KeyValueSettings _settings;
    private readonly KeyValueHistory _history;
    private readonly Random _random;
    private readonly int _clients;
    private readonly Dictionary<string, ulong> _seen = [];
    private readonly HashSet<string> _unread = [.. Keys];
    private Running? _running;
    private long _batches;
    private int _name;
    private int _at;
    private int _run;
    private bool _isEnding;

    public KeyValueBatcher(SwarmCube cube, KeyValueSettings settings, KeyValueHistory history, int number, int clients)
    {
        (_cube, _settings, _history, _clients) = (cube, settings, history, clients);
        _name = FirstName + number;
        _random = SwarmRandom.Of(cube.Options.Seed, $"kv batcher {number}");
    }

    /// <summary>Operations that ended, by how.</summary>
    public SwarmTally Tally { get; } = new();

    /// <summary>Once per virtual millisecond.</summary>
    public void Step()
    {
        if (Look() && _random.Next(2 * _settings.PauseMillis) == 0)
        {
            Begin(_random.Next(2) == 0 ? Batch() : Read(Keys[_random.Next(Keys.Length)]));
        }
    }

    /// <summary>The same, from when nothing is done to the cube any more: the keys are read until they were.</summary>
    public void End()
    {
        bool isIdle = Look();
        _isEnding = true;
        if (isIdle && _unread.Count > 0)
        {
            Begin(Read(Keys.First(_unread.Contains)));
        }
    }

    private static Running Read(string key) =>
        new() { Steps = [new HistoryOperation { Key = key, Kind = HistoryKind.Get }] };

    // Two to four steps: puts, deletes, and conditions, of what was seen last; sometimes conditions alone.
    private Running Batch()
    {
        var running = new Running { Batch = new KeyValueBatch() };
        long number = (((long)_name) << 24) + ++_batches;
        bool isRead = _random.Next(6) == 0 && _seen.Values.Count(static version => version > 0) > 1;
        string[] keys = [.. Keys.OrderBy(_ => _random.Next()).Take(_random.Next(2, Keys.Length + 1))];
        foreach (string key in keys)
        {
            ulong seen = _seen.GetValueOrDefault(key);
            bool isConditional = _random.Next(3) == 0;
            KeyValueCondition condition =
                !isConditional ? default
                : seen > 0 ? KeyValueCondition.Is(seen)
                : KeyValueCondition.Absent;
            var step = new HistoryOperation { Key = key, Batch = number };
            int what = isRead ? 0 : _random.Next(8);
            if (isRead && seen == 0)
            {
                continue;
            }

            if (what == 0 && seen > 0 && (isRead || key != keys[0]))
            {
                running.Batch.If(KeyValueKey.Of(key), KeyValueCondition.Is(seen));
                running.Steps.Add(
                    step with
                    {
                        Kind = HistoryKind.Put,
                        IfVersion = seen,
                        Answer = HistoryAnswer.Conflict,
                    }
                );
            }
            else if (what == 1)
            {
                running.Batch.Delete(KeyValueKey.Of(key), KeyValueCondition.Present);
                running.Steps.Add(step with { Kind = HistoryKind.Delete, IfPresent = true });
            }
            else
            {
                int length = _random.Next(MostLength);
                ulong value = _history.Begin(key, length);
                var put = new KeyValuePut { Condition = condition, Metadata = KeyValueHistory.MetadataOf(value) };
                running.Batch.Put(KeyValueKey.Of(key), KeyValueHistory.ValueOf(value, length), put);
                running.Steps.Add(
                    step with
                    {
                        Kind = HistoryKind.Put,
                        Value = KeyValueHistory.NameOf(value),
                        IfVersion = isConditional ? seen : null,
                    }
                );
            }
        }

        return running;
    }

    private void Begin(Running running)
    {
        int rank = _random.Next(_cube.Cube.Shape.Count);
        if (!_cube.Truth.Runs(rank) || _cube.Cube.IsPaused(rank) || KeyValueRest.StoreAt(_cube, rank) is not { } store)
        {
            return;
        }

        (_at, _run, running.Store, running.Began) = (rank, _cube.StopsOf(rank), store, _cube.Cube.NowNanos);
        _running = running;
        IServer server = _cube.Cube.ServerOf<KeyValueService>(rank);
        long began = server.NowNanos;
        server.Loop.Run(async () =>
        {
            KeyValueBatchAnswer answer = await AskAsync(store, running);
            (running.Answer, running.TookNanos) = (
                answer,
                ClientClock.MostNanos(_cube.Options, server.NowNanos - began)
            );
        });
    }

    private static async ValueTask<KeyValueBatchAnswer> AskAsync(KeyValueService store, Running running)
    {
        if (running.Batch is { } batch)
        {
            return await store.ApplyAsync(batch);
        }

        KeyValueKey key = KeyValueKey.Of(running.Steps[0].Key);
        KeyValueAnswer answer = await store.GetAsync(key, KeyValueReads.Latest, running.Value, running.Metadata);
        running.Length = answer.Length;
        return new KeyValueBatchAnswer(answer.Status, answer.Version);
    }

    // True: nothing goes on.
    private bool Look()
    {
        if (_running is not { } running)
        {
            return true;
        }

        bool isGone = _cube.StopsOf(_at) != _run || KeyValueRest.StoreAt(_cube, _at) != running.Store;
        if (!isGone && running.Answer is null)
        {
            return false;
        }

        _running = null;
        KeyValueBatchAnswer answer = isGone ? new KeyValueBatchAnswer(KeyValueStatus.Unknown) : running.Answer!.Value;
        Tally.Add($"kv {(running.Batch is null ? "Get of a pair" : "batch")}: {answer.Status}");
        long now = _cube.Cube.NowNanos,
            end = Math.Min(now, running.Began + running.TookNanos);
        foreach (HistoryOperation operation in ToHistory(running, answer, now))
        {
            _history.Add(operation with { Client = _name, Begin = running.Began, End = end });
        }

        if (isGone)
        {
            _name += _clients;
            _seen.Clear();
        }

        return true;
    }

    private IEnumerable<HistoryOperation> ToHistory(Running running, KeyValueBatchAnswer answer, long now)
    {
        bool isDone = answer.Status == KeyValueStatus.Done;
        if (running.Batch is null)
        {
            HistoryOperation read = running.Steps[0];
            if (isDone || answer.Status == KeyValueStatus.NotFound)
            {
                _seen[read.Key] = answer.Version;
                _ = _isEnding && _unread.Remove(read.Key);
                string? value = isDone
                    ? _history.Identify(
                        read.Key,
                        running.Value.WrittenSpan,
                        running.Metadata.WrittenSpan,
                        running.Length,
                        now
                    )
                    : null;
                HistoryAnswer told = isDone ? HistoryAnswer.Done : HistoryAnswer.NotFound;
                return [read with { Answer = told, Value = value, Version = answer.Version }];
            }

            return [];
        }

        if (isDone)
        {
            // A condition that held says which version the key had then.
            return running.Steps.Select(step =>
                step.Answer == HistoryAnswer.Conflict
                    ? step with
                    {
                        Value = "none",
                        IfVersion = 0,
                        Version = step.IfVersion!.Value,
                    }
                    : step with
                    {
                        Answer = HistoryAnswer.Done,
                        Version = answer.Version,
                    }
            );
        }

        return answer.Status switch
        {
            KeyValueStatus.Unknown => running.Steps.Where(static step => step.Answer == HistoryAnswer.Unknown),
            KeyValueStatus.Conflict =>
            [
                running.Steps[answer.Failed] with
                {
                    Batch = 0,
                    Value = "none",
                    Answer = HistoryAnswer.Conflict,
                    Version = answer.Version,
                },
            ],
            _ => [],
        };
    }

    private sealed class Running
    {
        public KeyValueBatch? Batch { get; init; }

        public List<HistoryOperation> Steps { get; init; } = [];

        public KeyValueService? Store { get; set; }

        public long Began { get; set; }

        public KeyValueBatchAnswer? Answer { get; set; }

        public long TookNanos { get; set; }

        public long Length { get; set; }

        public ArrayBufferWriter<byte> Value { get; } = new();

        public ArrayBufferWriter<byte> Metadata { get; } = new();
    }
}
