using System.Text;
using CamCube.Histories;
using CamCube.Services.KeyValue;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;

namespace CamCube.Swarm.KeyValues;

/// <summary>Of a table in memory: a group begins anew only when a majority of those that had it is gone, and all of its
/// keys are lost then and at no other time.</summary>
/// <param name="shape">The cube.</param>
/// <param name="cube">The run; null before it begins.</param>
internal sealed class MemoryWatch(TorusShape shape, Func<SwarmCube?> cube)
{
    private readonly PromiseChecker _memory = new("kv-memory");
    private readonly Dictionary<GroupId, List<Life>> _lives = [];
    private readonly Dictionary<StoreId, long> _seen = [];

    /// <summary>What is checked.</summary>
    public Checker Checker => _memory;

    /// <summary>Times that a group began anew.</summary>
    public int Count { get; private set; }

    /// <summary>Something happened to a member.</summary>
    public void Note(Member member, GroupAction action)
    {
        if (member.State is not { IsInMemory: true } state || cube() is not { } run)
        {
            return;
        }

        long now = run.Cube.NowNanos;
        _seen[state.Self] = now;
        if (action.Kind != ActionKind.WriteEpoch || state.Epoch is not { } epoch)
        {
            return;
        }

        if (!_lives.TryGetValue(member.Id, out List<Life>? lives))
        {
            _lives[member.Id] = lives = [];
        }

        Life? life = lives.Find(l => l.Generation == epoch.Generation);
        if (life is null)
        {
            life = new Life(epoch, LookAtLast(member, lives, run, now), now);
            lives.Add(life);
        }

        life.Epoch = epoch.Number > life.Epoch.Number ? epoch : life.Epoch;
    }

    /// <summary>What clients have lost.</summary>
    public IEnumerable<HistoryOperation> Losses(IEnumerable<string> keys) =>
        from key in keys
        from life in LivesOf(key).Skip(1)
        select new HistoryOperation
        {
            Client = -1,
            Key = key,
            Kind = HistoryKind.Loss,
            Answer = HistoryAnswer.Done,
            Begin = life.LostNanos,
            End = life.BornNanos,
        };

    /// <summary>The same operation, with versions that grow from one generation to the next: those that a store gives
    /// do not.</summary>
    public HistoryOperation InOrder(HistoryOperation operation)
    {
        List<Life> lives = LivesOf(operation.Key);
        return operation with
        {
            Version = InOrder(lives, operation.Version),
            IfVersion = operation.IfVersion is { } version ? InOrder(lives, version) : null,
        };
    }

    private static ulong InOrder(List<Life> lives, ulong version)
    {
        int life = lives.FindIndex(l => l.Generation == version >> 40);
        return version == 0 || life < 0 ? version : ((ulong)(life + 1) << 40) | (version & ((1UL << 40) - 1));
    }

    private List<Life> LivesOf(string key) =>
        _lives.GetValueOrDefault(GroupId.Of(0, KeyRoute.Of(0, Encoding.UTF8.GetBytes(key)), shape)) ?? [];

    // Since when the members of the life before may have been too few: not before the last of those was seen without
    // which there is no majority.
    private long LookAtLast(Member member, List<Life> lives, SwarmCube run, long now)
    {
        if (lives.Count == 0)
        {
            return now;
        }

        GroupEpoch last = lives[^1].Epoch;
        List<long> gone = [];
        foreach (StoreId store in last.Members)
        {
            int rank = shape.RankOf(store.Server);
            KeyValueService? there = KeyValueRest.StoreAt(run, rank);
            if (there?.Host.Memory != store)
            {
                gone.Add(_seen.GetValueOrDefault(store));
            }
        }

        Count++;
        int enough = last.Members.Length - last.Majority + 1;
        _memory.Check(
            gone.Count >= enough,
            now,
            () =>
                $"group {shape.At(member.Id.Home)}/{member.Id.Sequence} begins anew as {member.State.Epoch}, and of "
                + $"{last} {gone.Count} stores are gone."
        );
        gone.Sort();
        return gone.Count >= enough ? gone[enough - 1] : now;
    }

    /// <summary>From one birth of a group to the next.</summary>
    private sealed class Life(GroupEpoch epoch, long lostNanos, long bornNanos)
    {
        public uint Generation => Epoch.Generation;

        public GroupEpoch Epoch { get; set; } = epoch;

        public long LostNanos => lostNanos;

        public long BornNanos => bornNanos;
    }
}
