using System.Buffers;
using System.Text;
using CamCube.Histories;
using CamCube.Histories.Checking;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Tests.Service;
using CamCube.Testing;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Crashes;

/// <summary>What happens to a small cube until its power fails: a first start, puts and deletes, files of the log that
/// are compacted, a server that is lost, whose part another takes, and that comes back and catches up. It stops at any
/// time, and all that clients were told is judged.</summary>
internal sealed class CrashScript : IDisposable
{
    /// <summary>The server that is lost in the middle of it.</summary>
    public const int Lost = 3;

    private const int Keys = 24;
    private const int Clients = 8;
    private const int Rounds = 12;

    // What is asked of every group of every server costs more than the time that passes meanwhile.
    private const long Often = 100_000;
    private const long Rarely = 5_000_000;
    private static readonly KeyValueOptions Options = new()
    {
        Silence = TimeSpan.FromMilliseconds(60),
        SlowAfter = TimeSpan.FromMilliseconds(200),
        ReplicateAfter = TimeSpan.FromMilliseconds(250),
        Timeout = TimeSpan.FromSeconds(1),
        MaxValueLength = 8 << 10,
        SegmentBytes = 64 << 10,
        TailBytes = 4 << 10,
        SnapshotAfter = 16,
    };

    private readonly List<HistoryOperation> _history = [];
    private readonly List<Running> _running = [];
    private readonly StoreCube _stores = new(4, 1, 1, Options);
    private readonly Random _random = new(1);
    private readonly long _until;
    private int _number;

    /// <summary>Not run yet.</summary>
    /// <param name="until">When the power fails.</param>
    public CrashScript(long until) => _until = until;

    public StoreCube Stores => _stores;

    public long NowNanos => _stores.Cube.NowNanos;

    /// <summary>Operations that were acknowledged.</summary>
    public int Acknowledged => _history.Count(static o => o.Answer == HistoryAnswer.Done);

    /// <summary>Runs until the power fails, or all is done.</summary>
    public void Run()
    {
        Pass(IsLed, Rarely);
        for (int round = 0; round < Rounds && !IsOver; round++)
        {
            if (round == Rounds / 3)
            {
                _stores.Cube.Kill(_stores.Cube.Shape.At(Lost));
            }
            else if (round == 2 * Rounds / 3)
            {
                Pass(HasStandIns, Rarely);
                if (!IsOver)
                {
                    _stores.Cube.Revive(_stores.Cube.Shape.At(Lost));
                }
            }

            Round(client => client % Lost, round);
        }

        Pass(IsSettled, Rarely);

        // Compaction holds what it could not move yet for 10 s.
        PassTo(NowNanos + 13_000_000_000);
    }

    /// <summary>The power of these fails; all that are stopped come back.</summary>
    public void Fail(params ReadOnlySpan<int> ranks)
    {
        foreach (int rank in ranks)
        {
            if (_stores.Cube[rank].IsRunning)
            {
                _stores.Cube.Kill(_stores.Cube.Shape.At(rank));
            }
        }

        // What clients of these asked is answered to nobody any more.
        Look(static _ => false);
        foreach (Running open in _running)
        {
            if (ranks.Contains(open.Rank))
            {
                open.IsGone = true;
            }
        }

        Look(static open => open.IsGone);
        for (int rank = 0; rank < _stores.Cube.Shape.Count; rank++)
        {
            if (!_stores.Cube[rank].IsRunning)
            {
                _stores.Cube.Revive(_stores.Cube.Shape.At(rank));
            }
        }
    }

    /// <summary>It serves again: all keys are read and changed, comes to rest, and nothing that was told is wrong.
    /// </summary>
    public void Check()
    {
        TestCube cube = _stores.Cube;
        long patience = NowNanos + 60_000_000_000;
        while ((_running.Count > 0 || !IsLed()) && NowNanos < patience)
        {
            cube.Advance(TimeSpan.FromMilliseconds(1));
            Look(static _ => false);
        }

        Assert.True(IsLed(), string.Join('\n', _stores.Unsettled().Take(3)));
        _stores.AwaitSettled();
        for (int times = 0; times < 2; times++)
        {
            for (int key = 0; key < Keys; key++)
            {
                Begin(key % cube.Shape.Count, key, times == 0 && key % 2 == 0 ? HistoryKind.Put : HistoryKind.Get);
                cube.AwaitUntil(() => Look(static _ => false), "An operation does not end");
                Assert.Equal(HistoryAnswer.Done, Answered(_history[^1]));
            }
        }

        HistoryVerdict verdict = LinearizabilityChecker.Check(_history, 1_000_000);
        Assert.True(
            verdict.IsLinearizable == true,
            $"{verdict.IsLinearizable} {verdict.Unexplained}; beside it {string.Join("; ", verdict.Beside)}; all: "
                + string.Join('\n', _history.Where(o => o.Key == verdict.Key))
        );
        cube.AssertQuiet();
    }

    public void Dispose() => _stores.Dispose();

    private bool IsOver => NowNanos >= _until;

    // Nothing there is an answer, too.
    private static HistoryAnswer Answered(HistoryOperation operation) =>
        operation.Answer == HistoryAnswer.NotFound ? HistoryAnswer.Done : operation.Answer;

    // Who has left a group is not told who leads it.
    private bool IsLed() =>
        Enumerable
            .Range(0, _stores.Cube.Shape.Count)
            .Where(rank => _stores.Cube[rank].IsRunning)
            .Select(rank => _stores.Cube[rank].Service<KeyValueService>().Host)
            .All(host =>
                host.Members is { Count: > 0 } members
                && members.All(static m =>
                    m.Leader is not null || m.State.Role == GroupRole.Ended || StoreCube.HadNoPart(m)
                )
            );

    private bool HasStandIns() =>
        _stores[0].ListGroups().All(g => !g.Members.Contains(_stores.Cube.Shape.At(Lost)) || g.Leader is null);

    private bool IsSettled() => !_stores.Unsettled().Any();

    private void Round(Func<int, int> rankOf, int round)
    {
        for (int i = 0; i < 5 && !IsOver; i++)
        {
            for (int client = 0; client < Clients; client++)
            {
                int what = _random.Next(10);
                Begin(
                    rankOf(client),
                    _random.Next(Keys),
                    what < 7 ? HistoryKind.Put
                        : what < 9 ? HistoryKind.Delete
                        : HistoryKind.Get
                );
            }

            Pass(() => Look(static _ => false), Often);
        }

        // Compaction, and what members say of each other.
        PassTo(NowNanos + 20_000_000 + (round % 3 * 40_000_000));
    }

    private void Begin(int rank, int key, HistoryKind kind)
    {
        string name = $"key {key}",
            value = $"{++_number} {new string('x', _random.Next(6_000))}";
        KeyValueKey of = KeyValueKey.Of(name);
        IKeyValueStore store = _stores[rank];
        var got = new ArrayBufferWriter<byte>();
        ValueTask<KeyValueAnswer> asked = kind switch
        {
            HistoryKind.Put => store.PutAsync(of, Encoding.UTF8.GetBytes(value), new()),
            HistoryKind.Delete => store.DeleteAsync(of, default),
            _ => store.GetAsync(of, value: got),
        };
        var operation = new HistoryOperation
        {
            Client = _number,
            Key = name,
            Kind = kind,
            Begin = NowNanos,
            Value = kind == HistoryKind.Put ? Short(value) : null,
        };
        _running.Add(new Running(rank, operation, asked.AsTask(), got));
    }

    // True: nothing is open.
    private bool Look(Func<Running, bool> isGone)
    {
        foreach (Running open in _running.Where(o => o.Asked.IsCompleted || isGone(o)).ToArray())
        {
            _running.Remove(open);
            KeyValueAnswer answer = open.Asked.IsCompletedSuccessfully ? open.Asked.Result : new(Unknown);
            if (open.Operation.Kind == HistoryKind.Get && answer.Status is Unknown or Unavailable)
            {
                continue;
            }

            string? value =
                open.Operation.Kind == HistoryKind.Get && answer.Status == Done
                    ? Short(Encoding.UTF8.GetString(open.Got.WrittenSpan))
                    : open.Operation.Value;
            _history.Add(
                open.Operation with
                {
                    End = NowNanos,
                    Value = value,
                    Version = answer.Version,
                    Answer = answer.Status switch
                    {
                        Done => HistoryAnswer.Done,
                        NotFound => HistoryAnswer.NotFound,
                        Unavailable => HistoryAnswer.Unavailable,
                        _ => HistoryAnswer.Unknown,
                    },
                }
            );
        }

        return _running.Count == 0;
    }

    private static string Short(string value) => $"{value.Split(' ')[0]} of {value.Length}";

    private void PassTo(long nanos)
    {
        if (!IsOver)
        {
            _stores.Cube.Cube.AdvanceTo(Math.Min(nanos, _until));
        }
    }

    private void Pass(Func<bool> done, long step)
    {
        long patience = NowNanos + 60_000_000_000;
        while (!IsOver && !done())
        {
            Assert.True(NowNanos < patience, string.Join('\n', _stores.Unsettled().Take(3)));
            _stores.Cube.Cube.AdvanceTo(Math.Min(NowNanos + step, _until));
        }
    }

    private sealed class Running(
        int rank,
        HistoryOperation operation,
        Task<KeyValueAnswer> asked,
        ArrayBufferWriter<byte> got
    )
    {
        public int Rank => rank;

        public HistoryOperation Operation => operation;

        public Task<KeyValueAnswer> Asked => asked;

        public ArrayBufferWriter<byte> Got => got;

        public bool IsGone { get; set; }
    }
}
