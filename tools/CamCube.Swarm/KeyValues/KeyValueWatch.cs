using CamCube.Calls;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Simulator.Checkers;

namespace CamCube.Swarm.KeyValues;

/// <summary>Looks at every member of every group of a run: who leads, what is committed, and whether clients are told
/// that.</summary>
internal sealed class KeyValueWatch(TorusShape shape, Func<long> nanos)
{
    private readonly PromiseChecker _leaders = new("kv-leaders");
    private readonly PromiseChecker _log = new("kv-log");
    private readonly PromiseChecker _once = new("kv-once");
    private readonly PromiseChecker _told = new("kv-told");
    private readonly PromiseChecker _ends = new("kv-ends");
    private readonly PromiseChecker _recovered = new("kv-recovered");
    private readonly Dictionary<(GroupId Id, uint Generation), GroupChain> _groups = [];
    private readonly Dictionary<GroupId, List<(GroupRecovery Recovery, GroupChain Chain, long Nanos)>> _decided = [];
    private readonly Dictionary<GroupId, SortedSet<uint>> _generations = [];
    private readonly HashSet<long> _late = [];

    /// <summary>What is checked.</summary>
    public IReadOnlyList<Checker> Checkers => [_leaders, _log, _once, _told, _ends, _recovered];

    /// <summary>Generations that groups began by hand.</summary>
    public List<KeyValueGeneration> Generations { get; } = [];

    /// <summary>All members of a group that run now, whoever they are: to look what else there was.</summary>
    public Func<GroupId, IEnumerable<Member>> Members { get; set; } = static _ => [];

    /// <summary>Leaders that there were.</summary>
    public long Leaders { get; private set; }

    /// <summary>Epochs that ended.</summary>
    public long Changes { get; private set; }

    /// <summary>For one run of the service on one server.</summary>
    public Action<Member, GroupAction> Attach()
    {
        var known = new Dictionary<(GroupId, uint), ulong>();
        return (member, action) =>
        {
            (GroupId, uint) name = NameOf(member);
            NoteGeneration(member, action);
            if (action.Kind == ActionKind.Lead)
            {
                NoteLeader(member);
            }
            else if (action.Kind == ActionKind.Commit)
            {
                // Who has been restarted begins anew: it must come to the same.
                NoteCommit(member, known.GetValueOrDefault(name), action.Index);
                known[name] = Math.Max(known.GetValueOrDefault(name), action.Index);
            }
        };
    }

    /// <summary>An operation has not ended.</summary>
    public void LookAtOpen(bool mayGoOn, long now, Func<string> what)
    {
        if (mayGoOn || _late.Add(now / 1_000_000_000))
        {
            _ends.Check(mayGoOn, now, () => $"{what()} has not ended.");
        }
    }

    /// <summary>An operation has ended.</summary>
    public void LookAtAnswer(bool isPossible, long now, Func<string> what) => _ends.Check(isPossible, now, what);

    /// <summary>A client was told that a key has a version, or that it has made it.</summary>
    /// <param name="key">The key.</param>
    /// <param name="version">The version.</param>
    /// <param name="number">The number of the value; 0: it was deleted.</param>
    /// <param name="now">Virtual time.</param>
    /// <param name="what">For messages: what it did.</param>
    public void LookAtTold(string key, ulong version, ulong number, long now, Func<string> what)
    {
        ulong index = version & ((1UL << 40) - 1);
        byte[] bytes = System.Text.Encoding.UTF8.GetBytes(key);
        var generation = (uint)(version >> 40);
        Operation[] done =
        [
            .. ChainsWith(GroupOf(bytes), generation, index).SelectMany(e => GroupChain.PartsOf(e.Operation!)),
        ];
        bool isRight = Array.Exists(
            done,
            part =>
                part.Key.SequenceEqual(bytes)
                && (number == 0) == part.IsDelete
                && (number == 0 || KeyValueHistory.NumberIn(part.Metadata) == number)
        );
        _told.Check(
            isRight,
            now,
            () =>
                $"{what()}: told version {version} with value {number}; committed there is "
                + $"{string.Join(", ", done.Select(Describe))}."
        );
    }

    /// <summary>The group of a key.</summary>
    public GroupId GroupOf(ReadOnlySpan<byte> key) => GroupId.Of(0, KeyRoute.Of(0, key), shape);

    /// <summary>Of each key of a group the last change up to an index, as far as it was seen to be committed.</summary>
    public IEnumerable<(byte[] Key, ulong Index, bool IsDelete)> LastChanges(Member member, ulong upTo)
    {
        GroupChain? chain = _groups.GetValueOrDefault(NameOf(member));
        return (chain?.LastChanges(upTo) ?? []).Select(static last =>
            (last.Change.Key.ToArray(), last.Index, last.Change.IsDelete)
        );
    }

    // By what an operation is found is its member's own.
    private static GroupEntry Plain(in GroupEntry entry) =>
        entry.Kind == EntryKind.Operation ? entry with { Data = 0 } : entry;

    private static string Describe(Operation? done) =>
        done is null
            ? "nothing"
            : $"{done.Kind} of {KeyRoute.TextOf(done.Key)}, value {KeyValueHistory.NumberIn(done.Metadata)}";

    // What was committed at an index and has this version. What stood there when a generation began is in its chain.
    private IEnumerable<ChainEntry> ChainsWith(GroupId id, uint generation, ulong index)
    {
        // Those that there were: numbers of a group in memory are far apart.
        foreach (uint from in _generations.GetValueOrDefault(id) ?? [])
        {
            if (
                from >= generation
                && _groups.GetValueOrDefault((id, from))?.At(index) is { Operation: not null } found
                && found.Entry.Ballot.Generation == generation
            )
            {
                yield return found;
            }
        }
    }

    // A generation is decided by its base, with what that has; it begins when somebody is in it.
    private void NoteGeneration(Member member, GroupAction action)
    {
        GroupState state = member.State;
        if (action.Kind == ActionKind.WriteRecovery && state is { IsDecided: true, Recovery: { } decided })
        {
            if (!_decided.TryGetValue(member.Id, out List<(GroupRecovery, GroupChain, long)>? all))
            {
                _decided[member.Id] = all = [];
            }

            all.Add((decided, ChainOf(member, decided), nanos()));
        }

        if (state.IsInMemory || state.Epoch is not { Generation: > 0 } epoch || _groups.ContainsKey(NameOf(member)))
        {
            LookAtOld(member, action);
            return;
        }

        // It may have been decided more than once, if that was not durable.
        int at = (_decided.GetValueOrDefault(member.Id) ?? []).FindLastIndex(d =>
            d.Recovery.Next.Generation == epoch.Generation && d.Recovery.Next.Number <= epoch.Number
        );
        _recovered.Check(at >= 0, nanos(), () => $"{Name(member)}: {epoch} was decided by nobody.");
        if (at < 0)
        {
            return;
        }

        (GroupRecovery recovery, GroupChain chain, long decidedNanos) = _decided[member.Id][at];
        LookAtKept(member, recovery, chain, LatestOf(member.Id));
        Keep(NameOf(member), chain);
        Generations.Add(
            new KeyValueGeneration(member.Id, epoch.Generation, recovery.Index, chain, decidedNanos, nanos())
        );
    }

    // Who knows of a later generation does nothing in the one before.
    private void LookAtOld(Member member, GroupAction action)
    {
        if (action.Kind is ActionKind.Lead or ActionKind.Commit && !member.State.IsInMemory)
        {
            uint own = member.State.Epoch?.Generation ?? 0,
                latest = LatestOf(member.Id);
            _recovered.Check(
                own >= latest,
                nanos(),
                () =>
                    $"{Name(member)}: {member.State.Self} does {action.Kind} in generation {own}, after {latest} began."
            );
        }
    }

    // All that the base has applied, which was committed, and then what else it has.
    private GroupChain ChainOf(Member member, GroupRecovery recovery)
    {
        GroupState state = member.State;
        GroupChain? before = _groups.GetValueOrDefault((member.Id, state.Epoch?.Generation ?? 0));
        var chain = new GroupChain();
        for (ulong index = 1; index <= recovery.Index; index++)
        {
            bool isOwn = index > member.Shown,
                isInLog = index > state.BaseIndex && index <= state.LastIndex;
            if (!isOwn && before?.At(index) is { } known)
            {
                chain.Add(index, known.Entry, known.Operation);
            }
            else if (isOwn && (isInLog || member.Tail.Has(index)))
            {
                GroupEntry entry = Plain(isInLog ? state.EntryAt(index) : member.Tail[index].Entry);
                chain.Add(index, entry, member.Tail.Has(index) ? member.Tail[index].Operation : null);
            }
        }

        chain.Begin(recovery.Index, recovery.Next);
        return chain;
    }

    // What was committed is lost only if none of the stores that are left has it.
    private void LookAtKept(Member one, GroupRecovery recovery, GroupChain chain, uint generation)
    {
        if (_groups.GetValueOrDefault((one.Id, generation)) is not { } before)
        {
            return;
        }

        foreach (Member member in Members(one.Id))
        {
            GroupState state = member.State;
            if (recovery.PlaceOf(state.Self) < 0 || state.Epoch?.Generation != generation)
            {
                continue;
            }

            for (ulong index = 1; index <= before.Count; index++)
            {
                bool isLost = before.At(index) is { Operation: not null } lost && chain.At(index)?.Entry != lost.Entry;
                _recovered.Check(
                    !isLost || !HasSafe(member, index, before.At(index)!.Value.Entry),
                    nanos(),
                    () => $"{Name(member)}: {state.Self} has {index}, and {recovery} goes on without it."
                );
            }
        }
    }

    private static bool HasSafe(Member member, ulong index, in GroupEntry entry)
    {
        GroupState state = member.State;
        bool isInLog = index > state.BaseIndex && index <= Math.Min(state.LastIndex, state.SyncedIndex);
        return index <= member.Shown || (isInLog && Plain(state.EntryAt(index)) == entry);
    }

    private void NoteLeader(Member member)
    {
        Leaders++;
        GroupState state = member.State;
        GroupChain group = Of(member);
        bool isFirst = group.Leaders.TryAdd(state.Ballot, state.Self);
        StoreId first = group.Leaders[state.Ballot];
        _leaders.Check(
            isFirst,
            nanos(),
            () => $"{Name(member)}: {first} led in ballot {state.Ballot}, and now {state.Self} does."
        );
    }

    private void NoteCommit(Member member, ulong known, ulong upTo)
    {
        GroupState state = member.State;
        GroupChain group = Of(member);
        NoteEpoch(member, group);
        for (ulong index = Math.Max(known, Math.Min(state.BaseIndex, member.Tail.Base)) + 1; index <= upTo; index++)
        {
            // What was committed with the end of its epoch is in the core's log no more.
            bool isInLog = index > state.BaseIndex && index <= state.LastIndex;
            if (!isInLog && !member.Tail.Has(index))
            {
                continue;
            }

            GroupEntry entry = Plain(isInLog ? state.EntryAt(index) : member.Tail[index].Entry);
            Operation? operation = member.Tail.Has(index) ? member.Tail[index].Operation : null;
            if (group.At(index) is { } first)
            {
                // A leader whose log ends in Next writes that again under its own ballot.
                bool isSame =
                    first.Entry.Kind == entry.Kind
                    && (entry.Kind == EntryKind.Next ? entry.Epoch!.Equals(first.Entry.Epoch) : entry == first.Entry)
                    && first.Operation?.Request == operation?.Request;
                _log.Check(
                    isSame,
                    nanos(),
                    () =>
                        $"{Name(member)}: at {index} {first.Entry.Ballot} {Describe(first.Operation)} was committed, "
                        + $"and at {state.Self} it is {entry.Ballot} {Describe(operation)}."
                );
                continue;
            }

            Append(member, group, index, entry, operation);
        }
    }

    // Who enters an epoch has no entry any more that says so.
    private void NoteEpoch(Member member, GroupChain group)
    {
        GroupState state = member.State;
        if (state.EpochIndex == 0 || state.Epoch is not { } epoch || epoch.Number == group.First?.Number)
        {
            return;
        }

        var next = new GroupEntry(EntryKind.Next, new Ballot(state.Ballot.Generation, epoch.Number - 1, 0), 0, epoch);
        if (group.At(state.EpochIndex) is { } first)
        {
            _log.Check(
                first.Entry.Kind == EntryKind.Next && epoch.Equals(first.Entry.Epoch),
                nanos(),
                () => $"{Name(member)}: {epoch} begins at {state.EpochIndex}, where {first.Entry} was committed."
            );
        }
        else
        {
            Changes++;
            group.Add(state.EpochIndex, next, null);
        }
    }

    private void Append(Member member, GroupChain group, ulong index, in GroupEntry entry, Operation? operation)
    {
        long now = nanos();
        GroupEntry? before = group.At(index - 1)?.Entry;
        uint epoch =
            group.First is { } first && index == group.From + 1 ? first.Number
            : before is null ? 1
            : before.Value.Ballot.Epoch + (before.Value.Kind == EntryKind.Next ? 1u : 0);
        Ballot ballot = entry.Ballot;
        _log.Check(
            index <= group.Count
                || (index == group.Count + 1 && ballot.Epoch == epoch && !(ballot < (before?.Ballot ?? default))),
            now,
            () => $"{Name(member)}: {ballot} is committed at {index}, behind {before?.Ballot} at {group.Count}."
        );
        Changes += entry.Kind == EntryKind.Next ? 1 : 0;
        bool isOnce = group.Add(index, entry, operation);
        if (operation is not null)
        {
            ulong earlier = group.Requests[operation.Request];
            _once.Check(
                isOnce,
                now,
                () => $"{Name(member)}: {Describe(operation)} is committed twice, at {earlier} and {index}."
            );
        }
    }

    private string Name(Member member) => $"group {shape.At(member.Id.Home)}/{member.Id.Sequence}";

    // In memory a group that begins anew has nothing to do with what it was before.
    private static (GroupId Id, uint Generation) NameOf(Member member) =>
        (member.Id, member.State.Epoch?.Generation ?? 0);

    private void Keep((GroupId Id, uint Generation) name, GroupChain chain)
    {
        _groups[name] = chain;
        if (!_generations.TryGetValue(name.Id, out SortedSet<uint>? all))
        {
            _generations[name.Id] = all = [];
        }

        all.Add(name.Generation);
    }

    private uint LatestOf(GroupId id) => _generations.GetValueOrDefault(id)?.Max ?? 0;

    private GroupChain Of(Member member)
    {
        if (!_groups.TryGetValue(NameOf(member), out GroupChain? group))
        {
            Keep(NameOf(member), group = new GroupChain());
        }

        return group;
    }
}
