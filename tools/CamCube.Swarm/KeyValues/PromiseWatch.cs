using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Simulator.Checkers;

namespace CamCube.Swarm.KeyValues;

/// <summary>What every store of a run has promised, and has safe on its disk: nobody goes back on it, an epoch is used
/// only once that is known to be right, and what is applied is where it has to be.</summary>
/// <param name="watch">Knows what was committed.</param>
/// <param name="shape">The cube.</param>
/// <param name="nanos">Virtual time.</param>
internal sealed class PromiseWatch(KeyValueWatch watch, TorusShape shape, Func<long> nanos)
{
    private readonly PromiseChecker _promises = new("kv-promises");
    private readonly PromiseChecker _epochs = new("kv-epochs");
    private readonly PromiseChecker _applied = new("kv-applied");
    private readonly Dictionary<(GroupId Group, StoreId Store, uint Generation), Kept> _kept = [];
    private readonly Dictionary<(GroupId Group, uint Generation), Common> _common = [];

    /// <summary>What is checked.</summary>
    public IReadOnlyList<Checker> Checkers => [_promises, _epochs, _applied];

    /// <summary>For one run of the service on one server.</summary>
    public Action<Member, GroupAction> Attach(MemberHost host)
    {
        var known = new Dictionary<(GroupId, uint), uint>();
        return (member, action) =>
        {
            Kept kept = KeptBy(member, member.State.Self);
            Common common = Of(member);
            NotePromise(member, kept);
            NoteLog(member.State, kept);
            NoteEpoch(member, common);
            bool isPromise =
                action.Kind == ActionKind.Send && action.Message.Kind is MessageKind.Vote or MessageKind.Accepted;
            if (isPromise && member.State.Epoch is { Number: > 1 } epoch)
            {
                if (known.GetValueOrDefault((member.Id, GenerationOf(member))) < epoch.Number)
                {
                    known[(member.Id, GenerationOf(member))] = epoch.Number;
                    LookAtState(member, host);
                }
            }
            else if (action.Kind == ActionKind.Apply && member.Leads)
            {
                NoteApplied(member, common, action.Index);
            }
            else if (action.Kind == ActionKind.Lead)
            {
                LookAtLeader(member, common);
            }
        };
    }

    private void NotePromise(Member member, Kept kept)
    {
        GroupState state = member.State;
        _promises.Check(
            !(state.Ballot < kept.Ballot),
            nanos(),
            () => $"{Name(member)}: {state.Self} promised {kept.Ballot}, and is in {state.Ballot} now."
        );
        if (!state.IsPromiseSynced)
        {
            return;
        }

        bool isOther = state.Ballot == kept.Ballot && kept.Voted >= 0 && state.Voted != kept.Voted;
        _promises.Check(
            !isOther,
            nanos(),
            () => $"{Name(member)}: {state.Self} voted for {kept.Voted} in {state.Ballot}, now for {state.Voted}."
        );
        (kept.Ballot, kept.Voted) = (state.Ballot, state.Voted);
    }

    private static void NoteLog(GroupState state, Kept kept)
    {
        // While a state that was fetched is written, what was here before is still there.
        bool isJumping = state.SyncedIndex == 0 && state.Commit > 0;
        kept.Synced = isJumping ? kept.Synced : state.SyncedIndex;
        if (state.EndsInNext && state.SyncedIndex == state.LastIndex)
        {
            kept.Ended.Add(state.Epoch!.Number);
        }
    }

    // The first that is in an epoch: a majority of the one before has its end safe.
    private void NoteEpoch(Member member, Common common)
    {
        if (member.State.Epoch is not { } epoch || epoch.Number <= common.Epoch)
        {
            return;
        }

        if (common.Members is { } before && epoch.Number == common.Epoch + 1)
        {
            int ended = 0;
            foreach (StoreId store in before.Members)
            {
                // Its own may have become safe in this step.
                bool isOwn = store == member.State.Self && member.State.EndedBallot != default;
                ended += isOwn || KeptBy(member, store).Ended.Contains(before.Number) ? 1 : 0;
            }

            _epochs.Check(
                ended >= before.Majority,
                nanos(),
                () =>
                    $"{Name(member)}: {member.State.Self} is in {epoch}, and {ended} members of {before} have its end."
            );
        }

        (common.Epoch, common.Members) = (epoch.Number, epoch);
    }

    // Who says something in an epoch has all that was changed before it.
    private void LookAtState(Member member, MemberHost host)
    {
        foreach ((byte[] key, ulong index, bool isDelete) in watch.LastChanges(member, member.State.EpochIndex))
        {
            bool isThere =
                (host.TryFind(member.Id.Table, key, out IndexEntry entry) && IndexOf(entry.Version) >= index)
                || (member.Tail.Has(index) && member.Tail[index].Operation is not null);
            _epochs.Check(
                isThere || (isDelete && entry.Current == 0),
                nanos(),
                () =>
                    $"{Name(member)}: {member.State.Self} acts in {member.State.Epoch} and has "
                    + $"{KeyRoute.TextOf(key)} of {IndexOf(entry.Version)}, not of {index} (delete {isDelete}, shown "
                    + $"{member.Shown}, behind {member.Tail.Base}): {member.State}"
            );
        }
    }

    private void NoteApplied(Member member, Common common, ulong index)
    {
        GroupState state = member.State;
        if (state.Epoch!.Mode.IsByMajority)
        {
            int safe = 0;
            foreach (StoreId store in state.Epoch.Members)
            {
                safe += KeptBy(member, store).Synced >= index ? 1 : 0;
            }

            _applied.Check(
                safe >= state.Epoch.Majority,
                nanos(),
                () => $"{Name(member)}: {index} is applied, and {safe} of {state.Epoch} have it safe."
            );
        }

        for (int i = 0; !state.Epoch.Mode.IsByMajority && i < state.Epoch.Members.Length; i++)
        {
            StoreId store = state.Epoch.Members[i];
            ulong synced = KeptBy(member, store).Synced;
            _applied.Check(
                state.CommitMarks.IsAway(i) || synced >= index,
                nanos(),
                () => $"{Name(member)}: {index} is applied, and {store}, which is not away, has {synced} safe."
            );
        }

        if (!(state.Ballot < common.AppliedBallot))
        {
            (common.Applied, common.AppliedBallot) = (Math.Max(common.Applied, index), state.Ballot);
        }
    }

    private void LookAtLeader(Member member, Common common)
    {
        GroupState state = member.State;
        _applied.Check(
            !(state.Ballot > common.AppliedBallot) || state.LastIndex > common.Applied || state.EndsInNext,
            nanos(),
            () =>
                $"{Name(member)}: {state.Self} leads in {state.Ballot} with entries to {state.LastIndex}, and "
                + $"{common.Applied} was applied."
        );
    }

    private static ulong IndexOf(ulong version) => version & ((1UL << 40) - 1);

    private string Name(Member member) => $"group {shape.At(member.Id.Home)}/{member.Id.Sequence}";

    // Of a group in memory that is forgotten nothing counts.
    private static uint GenerationOf(Member member) => member.State.Epoch?.Generation ?? 0;

    private Kept KeptBy(Member member, StoreId store)
    {
        (GroupId, StoreId, uint) name = (member.Id, store, GenerationOf(member));
        if (!_kept.TryGetValue(name, out Kept? kept))
        {
            _kept[name] = kept = new Kept();
        }

        return kept;
    }

    private Common Of(Member member)
    {
        (GroupId, uint) name = (member.Id, GenerationOf(member));
        if (!_common.TryGetValue(name, out Common? common))
        {
            _common[name] = common = new Common();
        }

        return common;
    }

    /// <summary>What a store has safe of a group.</summary>
    private sealed class Kept
    {
        public Ballot Ballot { get; set; }

        public int Voted { get; set; } = -1;

        public ulong Synced { get; set; }

        /// <summary>Epochs whose Next it has.</summary>
        public HashSet<uint> Ended { get; } = [];
    }

    /// <summary>What is so of a group, whoever knows it.</summary>
    private sealed class Common
    {
        public uint Epoch { get; set; }

        public GroupEpoch? Members { get; set; }

        public ulong Applied { get; set; }

        public Ballot AppliedBallot { get; set; }
    }
}
