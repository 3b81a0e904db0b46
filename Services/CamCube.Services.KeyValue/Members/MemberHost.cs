using System.Diagnostics;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;
using MessageKind = CamCube.Services.KeyValue.Groups.MessageKind;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// All groups that this server has a part in: takes what happens to <see cref="GroupCore"/>, and does what that says:
/// messages, records, entries to show. Loop only.
/// </summary>
internal sealed class MemberHost : ILogOwner
{
    private const ulong MostTail = 1_024;
    private readonly IServer _server;
    private readonly KeyValueOptions _options;
    private readonly IGroupDuty _duty;
    private readonly Outbox _outbox;
    private readonly Recorder _recorder;
    private readonly KeyHasher _hasher;
    private readonly Dictionary<GroupId, Member> _members = [];
    private readonly List<Member> _inOrder = [];
    private readonly StoreReplay _found;
    private readonly List<GroupAction> _actions = [];
    private readonly List<Operation> _incoming = [];
    private readonly List<Operation> _read = [];
    private readonly Queue<(Member Member, GroupEvent Happened)> _later = new();
    private bool _isStepping;

    public MemberHost(
        IServer server,
        KeyValueOptions options,
        MessageChannel<KeyValueHeader> channel,
        KeyIndex index,
        KeyHasher hasher,
        IGroupDuty duty
    )
    {
        (_server, _options, _hasher, _duty, Index) = (server, options, hasher, duty, index);
        _found = new StoreReplay(index, Apply);
        Peers = new Peers(server, (long)options.Silence.TotalNanoseconds);
        _outbox = new Outbox(server, channel, Peers);
        _recorder = new Recorder(
            (member, sync) => Step(member, GroupEvent.Of(sync)),
            Show,
            (member, head, operation, location) => Apply(member.Id, TailEntry.Of(head, operation, location))
        );
    }

    /// <summary>Other servers.</summary>
    public Peers Peers { get; }

    /// <summary>Who sends and fetches states.</summary>
    public IStateDuty StateDuty { get; set; } = null!;

    /// <summary>Where keys lie.</summary>
    public KeyIndex Index { get; }

    /// <summary>The log, once it is open.</summary>
    public StoreLog? Log { get; private set; }

    /// <summary>This server's store.</summary>
    public StoreId Store { get; private set; }

    /// <summary>What was found is taken up, and groups are worked for.</summary>
    public bool IsOpen { get; private set; }

    /// <summary>Why nothing is done here any more; empty: it is.</summary>
    public string Failure { get; private set; } = "";

    /// <summary>The stores of the first start, if this is one of them.</summary>
    public byte[]? Founders => _found.Founders;

    /// <summary>The store is one of the first start.</summary>
    public bool IsFounding => Founders is not null;

    /// <summary>Nothing of any group is known here.</summary>
    public bool IsBlank => _inOrder.TrueForAll(static m => m.State is { Epoch: null, Birth: null });

    public IReadOnlyList<Member> Members => _inOrder;

    /// <summary>Records that are not durable yet.</summary>
    public int Behind => _recorder.Behind;

    /// <summary>Opens the log and takes up what is in it.</summary>
    public async ValueTask OpenAsync(LogOptions options)
    {
        LogOpening opening = await LogOpener.OpenAsync(_server, options, this);
        if (opening.Log is not { } log)
        {
            Failure = opening.Words;
            return;
        }

        Log = log;
        Store = new StoreId(opening.Store.Server, opening.Store.Incarnation);
        _recorder.Bind(log);
        if (opening.State == LogState.Damaged)
        {
            // Something that was promised may be gone. It goes on as a new store, which gets all from the others.
            _found.BeginAnew();
            _recorder.Anew();
        }

        if (_found.IsBroken)
        {
            Failure = "the records of its log do not fit together";
            return;
        }

        foreach (GroupReplay replay in _found.Groups)
        {
            Take(replay.End(Store, IsFounding, PlanOf(replay.Id)));
        }

        _found.Clear();
        for (int home = 0; home < _server.Shape.Count; home++)
        {
            for (int sequence = 0; sequence < Topology.ReplicaSequences.Count; sequence++)
            {
                GroupId id = GroupId.Of(0, home, sequence);
                Coordinate[] planned = PlanOf(id);
                if (!_members.ContainsKey(id) && planned.Contains(_server.Coordinate))
                {
                    Take(new Member(id, planned, new GroupState(Store, IsFounding), new Tail(0)));
                }
            }
        }

        IsOpen = true;
    }

    /// <summary>This server's part in a group; null: it has none.</summary>
    public Member? Find(GroupId id) => _members.GetValueOrDefault(id);

    /// <summary>The store becomes one of the first start, if nothing is known in it.</summary>
    /// <param name="founders">All stores of the first start.</param>
    public void Found(byte[] founders)
    {
        if (IsFounding || !IsBlank)
        {
            return;
        }

        _found.Founders = founders;
        foreach (Member member in _inOrder)
        {
            member.State = new GroupState(Store, isFounding: true);
        }

        _recorder.Founding(founders);
        _recorder.Pump();
    }

    /// <summary>Messages of groups that another server sent.</summary>
    /// <returns>False: not all could be read.</returns>
    public bool Receive(Coordinate from, ReadOnlySpan<byte> content)
    {
        if (!IsOpen || Failure.Length > 0)
        {
            return true;
        }

        Peers[from].HeardNanos = _server.NowNanos;
        var reader = new WireReader(content);
        while (reader.Left > 0)
        {
            _read.Clear();
            if (
                !GroupMessageFormat.TryRead(
                    ref reader,
                    from,
                    _server.Coordinate,
                    out GroupId id,
                    out GroupMessage message,
                    _read
                ) || !id.IsIn(_server.Shape)
            )
            {
                return false;
            }

            if (message.From.Incarnation != 0)
            {
                Peers[from].Store = message.From;
            }

            Member? member = _members.GetValueOrDefault(id) ?? Join(id, message);
            if (member is not null)
            {
                Hear(member, message);
                _incoming.AddRange(_read);
                Step(member, GroupEvent.Of(message));
                _incoming.Clear();
            }
        }

        return true;
    }

    /// <summary>Proposes an operation.</summary>
    public void Propose(Member member, Operation operation)
    {
        Debug.Assert(!_isStepping, "Proposals come from outside of steps.");
        _incoming.Add(operation);
        Step(member, GroupEvent.Propose(0));
        _incoming.Clear();
    }

    /// <summary>Notes a change that was sent with a state; durable before what is stepped afterwards.</summary>
    public void Settle(Member member, in LogRecord head, Operation operation)
    {
        _recorder.Settled(member, head, operation);
        _recorder.Pump();
    }

    /// <summary>Takes an event to a group, and does what comes of it.</summary>
    public void Step(Member member, in GroupEvent happened)
    {
        if (_isStepping)
        {
            _later.Enqueue((member, happened));
            return;
        }

        if (Failure.Length > 0)
        {
            return;
        }

        _isStepping = true;
        StepOne(member, happened);
        while (_later.TryDequeue(out (Member Member, GroupEvent Happened) next))
        {
            StepOne(next.Member, next.Happened);
        }

        _isStepping = false;
        _recorder.Pump();
    }

    /// <summary>Forgets entries that need not be kept, if they are many.</summary>
    public void Tidy(Member member)
    {
        if (member.Tail.Bytes < _options.TailBytes && member.Shown - member.Tail.Base < MostTail)
        {
            return;
        }

        ulong last = Math.Min(member.Shown, member.State.Applied);
        Step(member, new GroupEvent { Kind = EventKind.Trim, Data = last });
        if (member.State.BaseIndex > member.Tail.Base && member.Shown >= member.State.BaseIndex)
        {
            member.Tail.TrimTo(member.State.BaseIndex);
            _recorder.Position(member, isJump: false);
            _recorder.Pump();
        }
    }

    void ILogOwner.Found(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    ) => _found.Take(record, key, extra, value, location);

    void ILogOwner.Synced(ulong first, ReadOnlySpan<LogLocation> locations) => _recorder.Synced(locations);

    void ILogOwner.Failed(DiskStatus status) => Failure = $"the disk answered {status}";

    private Coordinate[] PlanOf(GroupId id) => id.Planned(_server.Shape, _options.Replicas);

    private void Take(Member member)
    {
        _members.Add(member.Id, member);
        _inOrder.Add(member);
        member.Counted = member.State is { Epoch: { } epoch, IsDropped: false } ? epoch : null;
        Count(member.Counted, 1);
    }

    // A group that this server has no part in by the plan makes it a member.
    private Member? Join(GroupId id, in GroupMessage message)
    {
        if (message.Kind != MessageKind.StartEpoch || message.Epoch!.PositionOf(Store) < 0)
        {
            return null;
        }

        var member = new Member(id, PlanOf(id), new GroupState(Store, IsFounding), new Tail(0));
        Take(member);
        return member;
    }

    private void Hear(Member member, in GroupMessage message)
    {
        if (message.Kind is MessageKind.Append or MessageKind.Confirm)
        {
            member.HeardNanos = _server.NowNanos;
        }
    }

    private void StepOne(Member member, in GroupEvent happened)
    {
        _actions.Clear();
        GroupCore.Step(member.State, happened, _actions);
        foreach (GroupAction action in _actions)
        {
            Do(member, action);
        }

        Peers.Count(member);
    }

    private void Do(Member member, in GroupAction action)
    {
        switch (action.Kind)
        {
            case ActionKind.Send:
                _outbox.Add(member, action.Message);
                break;
            case ActionKind.WritePromise:
                _recorder.Promise(member);
                break;
            case ActionKind.WriteEntries:
                WriteEntries(member, action.Index);
                break;
            case ActionKind.WriteEpoch:
                WriteEpoch(member, action.Index);
                break;
            case ActionKind.WriteJump:
                member.Tail.Reset(action.Index);
                (member.Applied, member.Shown) = (action.Index, action.Index);
                _recorder.Position(member, isJump: true);
                break;
            case ActionKind.CatchUp:
                StateDuty.Offer(member, member.State.Epoch!.Members[action.Member].Server);
                break;
            case ActionKind.Fetch:
                StateDuty.Fetch(member, action.Epoch!, action.Index);
                break;
            case ActionKind.Drop:
                Drop(member);
                break;
            case ActionKind.WriteBirth:
                _recorder.Birth(member);
                break;
            case ActionKind.Sync:
                _recorder.Sync(member, action.Sync);
                break;
            case ActionKind.Apply:
                member.Applied = Math.Max(member.Applied, action.Index);
                member.IsDirty = true;
                Show(member);
                break;
            case ActionKind.Lead:
                member.IsDirty = true;
                Array.Fill(member.AskedNanos, _server.NowNanos);
                Array.Fill(member.Asked, action.Index);
                _duty.Leads(member);
                break;
            case ActionKind.Resign:
                _duty.Resigns(member);
                break;
            case ActionKind.Appended:
                if (member.Tail[action.Index].Operation is not null)
                {
                    _duty.Appended(member, action.Index);
                }

                break;
            case ActionKind.Decline:
                _duty.Declined(member);
                break;
            case ActionKind.ReadNoted:
                _duty.ReadNoted(member, action.Data);
                break;
            case ActionKind.ReadConfirmed:
                _duty.ReadConfirmed(member, action.Index);
                break;
            default:
                break;
        }
    }

    private void WriteEpoch(Member member, ulong index)
    {
        GroupState state = member.State;
        if (state.HasEnd && state.EndedBallot == default)
        {
            // All before it was fetched.
            member.Tail.Reset(index);
            (member.Applied, member.Shown) = (Math.Max(member.Applied, index), index);
        }
        else
        {
            // What was not committed in the epoch that ended never was.
            member.Tail.CutAfter(index);
        }

        _recorder.Epoch(member);
        Count(member.Counted, -1);
        member.Counted = state.IsDropped ? null : state.Epoch;
        Count(member.Counted, 1);
    }

    private void Count(GroupEpoch? epoch, int by)
    {
        foreach (StoreId store in epoch is null ? default : epoch.Members)
        {
            if (store.Server != _server.Coordinate)
            {
                Peers[store.Server].Groups += by;
            }
        }
    }

    // Others have it, whole: what is here goes.
    private void Drop(Member member)
    {
        member.Tail.Reset(member.State.BaseIndex);
        List<UInt128> keys = [.. Index.All.Where(e => e.Value.Group == member.Id.Number).Select(static e => e.Key)];
        keys.ForEach(Index.Remove);
    }

    private void WriteEntries(Member member, ulong first)
    {
        Tail tail = member.Tail;
        tail.CutAfter(first - 1);
        for (ulong index = first; index <= member.State.LastIndex; index++)
        {
            GroupEntry entry = member.State.EntryAt(index);
            Operation? operation = entry.Kind == EntryKind.Operation ? _incoming[(int)entry.Data] : null;
            var added = new TailEntry(index, entry, operation);
            tail.Add(added);
            _recorder.Entry(member, added);
        }

        member.IsDirty = true;
    }

    // In the order of the log: what is applied and durable here.
    private void Show(Member member)
    {
        Tail tail = member.Tail;
        while (member.Shown < member.Applied && tail.Has(member.Shown + 1) && tail[member.Shown + 1].IsSynced)
        {
            TailEntry entry = tail[++member.Shown];
            Apply(member.Id, entry);
            _duty.Shown(member, entry);
        }
    }

    private void Apply(GroupId id, TailEntry entry)
    {
        if (entry.Operation is { } operation)
        {
            Index.Put(
                _hasher.Of(id.Table, operation.Key),
                new IndexEntry(
                    entry.Version,
                    entry.Location,
                    operation.Value.Length,
                    id.Number,
                    operation.Kind == OperationKind.Delete
                )
            );
        }
    }
}
