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

        life.Enter(epoch, state.Self);
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
    // which there is no majority. Who enters an epoch is sent its state then, so an epoch that not all have entered is
    // over, too, when most of those are gone that have, and most of the epoch before: nobody has to bring it in.
    private long LookAtLast(Member member, List<Life> lives, SwarmCube run, long now)
    {
        if (lives.Count == 0)
        {
            return now;
        }

        Count++;
        (GroupEpoch last, HashSet<StoreId> entered) = lives[^1].Last;
        List<long> gone = Gone(last.Members.ToArray(), run);
        long? since = Since(gone, last.Majority, last.Members.Length);
        if (since is null && lives[^1].Before is { } before)
        {
            long? ofEntered = Since(Gone(entered, run), (entered.Count / 2) + 1, entered.Count);
            long? ofBefore = Since(Gone(before.Members.ToArray(), run), before.Majority, before.Members.Length);
            since = ofEntered is { } one && ofBefore is { } other ? Math.Max(one, other) : null;
        }

        _memory.Check(
            since is not null,
            now,
            () =>
                $"group {shape.At(member.Id.Home)}/{member.Id.Sequence} begins anew as {member.State.Epoch}, and of "
                + $"{last}, which {entered.Count} have entered, {gone.Count} stores are gone."
        );
        return since ?? now;
    }

    // When each of those that are gone was seen last.
    private List<long> Gone(IEnumerable<StoreId> stores, SwarmCube run) =>
        [
            .. from store in stores
            where KeyValueRest.StoreAt(run, shape.RankOf(store.Server))?.Host.Memory != store
            select _seen.GetValueOrDefault(store) into seen
            orderby seen
            select seen,
        ];

    // Since when no majority of a number of stores is left; null if one is.
    private static long? Since(List<long> gone, int majority, int all)
    {
        int enough = all - majority + 1;
        return gone.Count >= enough ? gone[enough - 1] : null;
    }

    /// <summary>From one birth of a group to the next.</summary>
    private sealed class Life(GroupEpoch first, long lostNanos, long bornNanos)
    {
        public uint Generation => first.Generation;

        /// <summary>The last epoch that a member has entered, and those that have.</summary>
        public (GroupEpoch Epoch, HashSet<StoreId> Entered) Last { get; private set; } = (first, []);

        /// <summary>The one before; null if there is none.</summary>
        public GroupEpoch? Before { get; private set; }

        public long LostNanos => lostNanos;

        public long BornNanos => bornNanos;

        public void Enter(GroupEpoch epoch, StoreId store)
        {
            if (epoch.Number > Last.Epoch.Number)
            {
                (Before, Last) = (Last.Epoch, (epoch, []));
            }

            if (epoch.Number == Last.Epoch.Number && epoch.PositionOf(store) >= 0)
            {
                Last.Entered.Add(store);
            }
        }
    }
}
