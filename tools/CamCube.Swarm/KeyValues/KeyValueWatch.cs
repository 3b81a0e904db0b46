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
    private readonly KeyValueChecker _leaders = new("kv-leaders");
    private readonly KeyValueChecker _log = new("kv-log");
    private readonly KeyValueChecker _once = new("kv-once");
    private readonly KeyValueChecker _told = new("kv-told");
    private readonly KeyValueChecker _ends = new("kv-ends");
    private readonly Dictionary<(GroupId Id, uint Generation), Group> _groups = [];
    private readonly HashSet<long> _late = [];

    /// <summary>What is checked.</summary>
    public IReadOnlyList<Checker> Checkers => [_leaders, _log, _once, _told, _ends];

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
        Group? group =
            _groups.GetValueOrDefault((GroupOf(bytes), generation)) ?? _groups.GetValueOrDefault((GroupOf(bytes), 0u));
        Operation? done = group?.At(index)?.Operation;
        bool isRight =
            done is not null
            && done.Key.SequenceEqual(bytes)
            && (number == 0) == (done.Kind == OperationKind.Delete)
            && (number == 0 || KeyValueHistory.NumberIn(done.Metadata) == number);
        _told.Check(
            isRight,
            now,
            () => $"{what()}: told version {version} with value {number}; committed there is {Describe(done)}."
        );
    }

    /// <summary>The group of a key.</summary>
    public GroupId GroupOf(ReadOnlySpan<byte> key) => GroupId.Of(0, KeyRoute.Of(0, key), shape);

    /// <summary>Of each key of a group the last change up to an index, as far as it was seen to be committed.</summary>
    public IEnumerable<(byte[] Key, ulong Index, bool IsDelete)> LastChanges(Member member, ulong upTo)
    {
        var last = new Dictionary<string, (byte[] Key, ulong Index, bool IsDelete)>();
        Group? group = _groups.GetValueOrDefault(NameOf(member));
        for (ulong index = 1; group is not null && index <= upTo; index++)
        {
            if (group.At(index)?.Operation is { Kind: OperationKind.Put or OperationKind.Delete } operation)
            {
                bool isDelete = operation.Kind == OperationKind.Delete;
                last[KeyRoute.TextOf(operation.Key)] = (operation.Key.ToArray(), index, isDelete);
            }
        }

        return last.Values;
    }

    // By what an operation is found is its member's own.
    private static GroupEntry Plain(in GroupEntry entry) =>
        entry.Kind == EntryKind.Operation ? entry with { Data = 0 } : entry;

    private static string Describe(Operation? done) =>
        done is null
            ? "nothing"
            : $"{done.Kind} of {KeyRoute.TextOf(done.Key)}, value {KeyValueHistory.NumberIn(done.Metadata)}";

    private void NoteLeader(Member member)
    {
        Leaders++;
        GroupState state = member.State;
        Group group = Of(member);
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
        Group group = Of(member);
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
    private void NoteEpoch(Member member, Group group)
    {
        GroupState state = member.State;
        if (state.EpochIndex == 0 || state.Epoch is not { } epoch)
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

    private void Append(Member member, Group group, ulong index, in GroupEntry entry, Operation? operation)
    {
        long now = nanos();
        GroupEntry? before = group.At(index - 1)?.Entry;
        uint epoch = before is null ? 1 : before.Value.Ballot.Epoch + (before.Value.Kind == EntryKind.Next ? 1u : 0);
        Ballot ballot = entry.Ballot;
        _log.Check(
            index <= group.Count
                || (index == group.Count + 1 && ballot.Epoch == epoch && !(ballot < (before?.Ballot ?? default))),
            now,
            () => $"{Name(member)}: {ballot} is committed at {index}, behind {before?.Ballot} at {group.Count}."
        );
        Changes += entry.Kind == EntryKind.Next ? 1 : 0;
        group.Add(index, entry, operation);
        if (operation is not null)
        {
            bool isOnce = group.Requests.TryAdd(operation.Request, index);
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

    private Group Of(Member member)
    {
        if (!_groups.TryGetValue(NameOf(member), out Group? group))
        {
            _groups[NameOf(member)] = group = new Group();
        }

        return group;
    }

    private sealed class Group
    {
        private readonly Dictionary<ulong, (GroupEntry Entry, Operation? Operation)> _log = [];

        public Dictionary<Ballot, StoreId> Leaders { get; } = [];

        public Dictionary<RequestId, ulong> Requests { get; } = [];

        public ulong Count { get; private set; }

        public (GroupEntry Entry, Operation? Operation)? At(ulong index) =>
            _log.TryGetValue(index, out (GroupEntry, Operation?) found) ? found : null;

        public void Add(ulong index, in GroupEntry entry, Operation? operation) =>
            (_log[index], Count) = ((entry, operation), Math.Max(Count, index));
    }
}
