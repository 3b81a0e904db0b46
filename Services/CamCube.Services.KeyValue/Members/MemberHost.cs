using System.Diagnostics;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Counting;
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

    // How long pieces that nothing names are kept, in times-out of a request.
    private const int PieceSilences = 16;
    private readonly IServer _server;
    private readonly KeyValueOptions _options;
    private readonly IGroupDuty _duty;
    private readonly KeyValueCounters _counters;
    private readonly Outbox _outbox;
    private readonly Dictionary<GroupId, Member> _members = [];
    private readonly List<Member> _inOrder = [];
    private readonly MemberLog _log;
    private readonly KeyHasher _hasher;
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
        IGroupDuty duty,
        KeyValueCounters counters
    )
    {
        (_server, _options, _duty, _counters, Index) = (server, options, duty, counters, index);
        _hasher = hasher;
        _log = new MemberLog(
            index,
            hasher,
            duty,
            Find,
            (member, sync) => Step(member, GroupEvent.Of(sync)),
            () => server.NowNanos,
            PieceSilences * (long)options.Timeout.TotalNanoseconds,
            options.Answers
        );
        Pieces = new MemberPieces(server, _log);
        Peers = new Peers(server, (long)options.Silence.TotalNanoseconds);
        _outbox = new Outbox(server, channel, Peers);
    }

    /// <summary>Other servers.</summary>
    public Peers Peers { get; }

    /// <summary>Who sends and fetches states.</summary>
    public IStateDuty StateDuty { get; set; } = null!;

    /// <summary>Pieces of values.</summary>
    public MemberPieces Pieces { get; }

    /// <summary>When keys end.</summary>
    public Expiries Expiries => _log.Keeper.Expiries;

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
    public byte[]? Founders => _log.Found.Founders;

    /// <summary>The store is one of the first start.</summary>
    public bool IsFounding => Founders is not null;

    /// <summary>Nothing of any group is known here.</summary>
    public bool IsBlank => _inOrder.TrueForAll(static m => m.State is { Epoch: null, Birth: null });

    public IReadOnlyList<Member> Members => _inOrder;

    /// <summary>Bytes of the log that are needed.</summary>
    public long Needed => _log.Keeper.Needed;

    /// <summary>Records that are not durable yet.</summary>
    public int Behind => _log.Recorder.Behind;

    /// <summary>For checkers: is told what a group does, before it is done; its state is new already.</summary>
    public Action<Member, GroupAction>? Watch { get; set; }

    /// <summary>A mistake that is made, for tests.</summary>
    public PlantedMistake Mistake
    {
        get => _log.Recorder.Mistake;
        set => (_log.Recorder.Mistake, _log.Keeper.DropsDeletes) = (value, value == PlantedMistake.DropsDeletes);
    }

    /// <summary>What is visible of a key here. False: nothing.</summary>
    public bool TryFind(int table, ReadOnlySpan<byte> key, out IndexEntry entry) =>
        Index.TryGet(GroupId.Of(table, key, _server.Shape).Number, _hasher.Of(table, key), out entry);

    /// <summary>Opens the log and takes up what is in it.</summary>
    public async ValueTask OpenAsync(LogOptions options)
    {
        LogOpening opening = await LogOpener.OpenAsync(_server, options, this);
        if (opening.Log is not { } log)
        {
            Failure = opening.Words;
            if (opening.State == LogState.Unreadable && opening.Disk == DiskStatus.Failed)
            {
                // It may have been for this time only.
                throw new StoreFailureException(Failure);
            }

            return;
        }

        Log = log;
        Store = new StoreId(
            opening.Store.Server,
            Mistake == PlantedMistake.KeepsStoreId ? 1 : opening.Store.Incarnation
        );
        _log.Recorder.Bind(log);
        _log.BeganAnew = log.BeganAnew;
        if (opening.State == LogState.Damaged)
        {
            // Something that was promised may be gone. It goes on as a new store, which gets all from the others.
            _log.Found.BeginAnew();
            _log.Recorder.Anew();
            _log.Recorder.Pump();
        }

        if (_log.Found.IsBroken)
        {
            Failure = "the records of its log do not fit together";
            return;
        }

        foreach (GroupReplay replay in _log.Found.Groups)
        {
            Member found = replay.End(Store, IsFounding, PlanOf(replay.Id));
            if (found.State.Epoch is null)
            {
                // A state of which not all came.
                _log.Keeper.Remove(found);
            }

            Take(found);
        }

        _log.Keeper.Located(null, RecordKind.Founding, _log.Found.FoundersPlace);
        _log.Keeper.Located(null, RecordKind.Anew, _log.Found.AnewPlace);
        _log.Found.Clear();
        Failure = TableCheck.Look(_options, _inOrder) ?? "";
        if (Failure.Length > 0)
        {
            return;
        }

        foreach (GroupId id in TableCheck.Groups(_options, _server.Shape))
        {
            Coordinate[] planned = PlanOf(id);
            if (!_members.ContainsKey(id) && planned.Contains(_server.Coordinate))
            {
                Take(_log.Found.Blank(id, planned, Store));
            }
        }

        IsOpen = true;
        _log.Pieces.Pieces.DropUnnamed();
        Pieces.Open(log);
        (_log.Keeper.OldestSegment, _log.Keeper.RotFound) = (() => log.Segments.Oldest, StateDuty.Rotten);
        log.Tend(_log.Keeper);
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

        _log.Found.Founders = founders;
        foreach (Member member in _inOrder)
        {
            member.State = new GroupState(Store, isFounding: true);
        }

        _log.Recorder.Founding(founders);
        _log.Recorder.Pump();
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
                if (Peers.Hear(member, message))
                {
                    Step(member, GroupEvent.Of(EventKind.LeaderSilent));
                }

                _incoming.AddRange(_read);
                Step(member, GroupEvent.Of(Pieces.WithoutLacking(member, message, _read)));
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
    public void Settle(Member member, in LogRecord head, Operation operation) => _log.Settled(member, head, operation);

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
        _log.Recorder.Pump();
    }

    /// <summary>Forgets entries that need not be kept, if they are many, or the disk wants it.</summary>
    public void Tidy(Member member)
    {
        if (member.WantsTrim || member.Tail.Bytes >= _options.TailBytes || member.Shown - member.Tail.Base >= MostTail)
        {
            ulong last = Math.Min(member.Shown, member.State.Applied);
            Step(member, new GroupEvent { Kind = EventKind.Trim, Data = last });
            _log.Trim(member);
        }
    }

    bool ILogOwner.BeginsAnew => true;

    void ILogOwner.Found(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    ) => _log.Found.Take(record, key, extra, value, location);

    void ILogOwner.Synced(ulong first, ReadOnlySpan<LogLocation> locations) => _log.Recorder.Synced(locations);

    void ILogOwner.Failed(DiskStatus status)
    {
        Failure = $"the disk answered {status}";
        if (status != DiskStatus.Stopped)
        {
            // Named, and tried again from the start.
            _server.Loop.Run(() => throw new StoreFailureException(Failure));
        }
    }

    private Coordinate[] PlanOf(GroupId id) => id.Planned(_server.Shape, _options.CopiesOf(id.Table));

    private void Take(Member member)
    {
        _members.Add(member.Id, member);
        _inOrder.Add(member);
        member.Tail.Forgotten = entry => _log.Keeper.Forgotten(member, entry);
        for (ulong index = member.Tail.Base + 1; index <= member.Tail.Last; index++)
        {
            _log.Keeper.Located(member.Tail[index]);
        }

        foreach (LogLocation place in member.Places)
        {
            _log.Keeper.Count(place);
        }

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

        Member member = _log.Found.Blank(id, PlanOf(id), Store);
        Take(member);
        return member;
    }

    private void StepOne(Member member, in GroupEvent happened)
    {
        _actions.Clear();
        GroupCore.Step(member.State, happened, _actions);
        if (Mistake == PlantedMistake.UsesEpochEarly && member.State is { Role: GroupRole.Leader, EndsInNext: true })
        {
            int from = _actions.Count;
            var step = new GroupStep(member.State, _actions);
            GroupEpochs.End(step);
            step.End(from);
        }

        foreach (GroupAction action in _actions)
        {
            Watch?.Invoke(member, action);
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
                _log.Recorder.Promise(member);
                break;
            case ActionKind.WriteEntries:
                _log.WriteEntries(member, action.Index, _incoming);
                member.IsDirty = true;
                break;
            case ActionKind.WriteEpoch:
                WriteEpoch(member, action.Index);
                break;
            case ActionKind.WriteJump:
                member.Tail.Reset(action.Index);
                (member.Applied, member.Shown) = (action.Index, action.Index);
                _log.Recorder.Position(member);
                break;
            case ActionKind.CatchUp:
                StateDuty.Offer(member, member.State.Epoch!.Members[action.Member].Server);
                break;
            case ActionKind.Fetch when Mistake == PlantedMistake.ActsWithoutState:
                var installed = new GroupEvent
                {
                    Kind = EventKind.Installed,
                    Epoch = action.Epoch,
                    Data = action.Index,
                };
                Step(member, installed);
                break;
            case ActionKind.Fetch:
                StateDuty.Fetch(member, action.Epoch!, action.Index);
                break;
            case ActionKind.Drop:
                _log.Drop(member);
                break;
            case ActionKind.WriteBirth:
                _log.Recorder.Birth(member);
                break;
            case ActionKind.Sync:
                _log.Recorder.Sync(member, action.Sync);
                break;
            case ActionKind.Apply:
                member.Applied = Math.Max(member.Applied, action.Index);
                member.IsDirty = true;
                _log.Show(member);
                break;
            case ActionKind.Lead:
                member.IsDirty = true;
                _counters.Elections.Add();
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
        _counters.Epochs.Add();
        _log.WriteEpoch(member, index);
        Count(member.Counted, -1);
        member.Counted = member.State.IsDropped ? null : member.State.Epoch;
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
}
