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
internal sealed class MemberHost
{
    private const ulong MostTail = 1_024;

    // How long pieces that nothing names are kept, in times-out of a request.
    private const int PieceSilences = 16;
    private readonly IServer _server;
    private readonly KeyValueOptions _options;
    private readonly MemberDirectory _members;
    private readonly ActionRunner _runner;
    private readonly MemberStores _stores;
    private readonly ulong _run;
    private readonly KeyHasher _hasher;
    private readonly KeyValueCounters _counters;
    private readonly List<GroupAction> _actions = [];
    private readonly List<Operation> _incoming = [];
    private readonly List<Operation> _read = [];
    private readonly Queue<(Member Member, GroupEvent Happened)> _later = new();
    private bool _isStepping;
    private FirstServers? _first;

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
        (_server, _options, Index) = (server, options, index);
        (_hasher, _counters) = (hasher, counters);
        _run = channel.Run;
        Expiries = new Expiries(() => server.NowNanos);
        var room = new AnswerRoom(options.Answers);
        MemberLog Records() =>
            new(
                index,
                hasher,
                duty,
                id => Find(id),
                (member, sync) => Step(member, GroupEvent.Of(sync)),
                () => server.NowNanos,
                PieceSilences * (long)options.Timeout.TotalNanoseconds,
                room,
                Expiries
            );
        _stores = new MemberStores(options, Records, Failed);
        Bans = new Bans(DiskRecords);
        Pieces = new MemberPieces(server, _stores, new RecoveryPace(server, options.RecoveryRate));
        Peers = new Peers(server, (long)options.Silence.TotalNanoseconds);
        _members = new MemberDirectory(server, options, Peers);
        Snapshots = new SnapshotKeeper(server, _stores, _members.All, options.SnapshotAfter);
        Leases = new Leases(server, options);
        Admission = new Admission(server, channel, Peers, Bans, (long)options.Silence.TotalNanoseconds);
        _runner = new ActionRunner(server, new Outbox(server, channel, Peers), _members, Leases, duty, counters);
    }

    /// <summary>Stores that were given up by hand.</summary>
    public Bans Bans { get; }

    /// <summary>Other servers.</summary>
    public Peers Peers { get; }

    /// <summary>Whether this store was given up while it was off.</summary>
    public Admission Admission { get; }

    /// <summary>How long reads need no question.</summary>
    public Leases Leases { get; }

    /// <summary>Who sends and fetches states.</summary>
    public IStateDuty StateDuty
    {
        get => _runner.StateDuty;
        set => _runner.StateDuty = value;
    }

    /// <summary>Pieces of values.</summary>
    public MemberPieces Pieces { get; }

    /// <summary>When keys end.</summary>
    public Expiries Expiries { get; }

    /// <summary>Which records are needed.</summary>
    public LogKeeper Keeper => DiskRecords.Keeper;

    /// <summary>Writes snapshots of what is in the log.</summary>
    public SnapshotKeeper Snapshots { get; }

    /// <summary>The start took one, and read what is behind it only.</summary>
    public bool HasSnapshot => _stores.Disk.HasSnapshot;

    /// <summary>Where keys lie.</summary>
    public KeyIndex Index { get; }

    /// <summary>The log on the disk, once it is open.</summary>
    public StoreLog? Log => _stores.Disk.Log;

    /// <summary>This server's store on its disk.</summary>
    public StoreId Store => _stores.Disk.Id;

    /// <summary>Its store in memory; null: no table is.</summary>
    public StoreId? Memory => _stores.Memory is { IsOpen: true } memory ? memory.Id : null;

    /// <summary>What was found is taken up, and groups are worked for.</summary>
    public bool IsOpen => _stores.Disk.IsOpen || _stores.Memory is { IsOpen: true };

    /// <summary>There is a disk, and groups on it are worked for.</summary>
    public bool IsDiskOpen => _stores.Disk.IsOpen;

    /// <summary>Why nothing is done here any more; empty: it is.</summary>
    public string Failure { get; private set; } = "";

    /// <summary>Why tables on the disk have no part here; empty: they have.</summary>
    public string DiskFailure { get; private set; } = "";

    /// <summary>The stores of the first start, if this is one of them.</summary>
    public byte[]? Founders => DiskRecords.Found.Founders;

    /// <summary>The store is one of the first start.</summary>
    public bool IsFounding => Founders is not null;

    /// <summary>This store is of the first start, and will know it after a crash.</summary>
    public bool IsFoundingSafe => IsFounding && DiskRecords.Keeper.HasFounding;

    /// <summary>Whether a server was there at the first start, as far as it is known here.</summary>
    public bool IsFounder(Coordinate at) => FirstServers?.Has(at) ?? true;

    /// <summary>Who has a group when it begins, as far as it is known here.</summary>
    public Coordinate[] BirthPlanOf(GroupId id)
    {
        Coordinate[] planned = _members.PlanOf(id);
        if (_stores.IsInMemory(id.Table))
        {
            // The same ones for all births: that is what makes one right.
            return planned;
        }

        return FirstServers?.BirthPlanOf(id, planned, _server.Shape) ?? planned;
    }

    /// <summary>Nothing of any group is known on the disk.</summary>
    public bool IsBlank =>
        _members.All.TrueForAll(static m => m.Store.IsInMemory || m.State is { Epoch: null, Birth: null });

    public IReadOnlyList<Member> Members => _members.All;

    /// <summary>Bytes of the log that are needed.</summary>
    public long Needed => _stores.Needed;

    /// <summary>Those of them on the disk.</summary>
    public long NeededOnDisk => DiskRecords.Keeper.Needed;

    /// <summary>Records that are not durable yet.</summary>
    public int Behind => _stores.Behind;

    /// <summary>For checkers: is told what a group does, before it is done; its state is new already.</summary>
    public Action<Member, GroupAction>? Watch { get; set; }

    /// <summary>A mistake that is made, for tests.</summary>
    public PlantedMistake Mistake
    {
        get => DiskRecords.Recorder.Mistake;
        set
        {
            foreach (MemberStore store in _stores.All)
            {
                store.Records.Recorder.Mistake = value;
                store.Records.Keeper.DropsDeletes = value == PlantedMistake.DropsDeletes;
            }

            Leases.LooksEarly = value == PlantedMistake.ClockBeforeValue;
        }
    }

    /// <summary>What is visible of a key here. False: nothing.</summary>
    public bool TryFind(int table, ReadOnlySpan<byte> key, out IndexEntry entry) =>
        Index.TryGet(GroupId.Of(table, key, _server.Shape).Number, _hasher.Of(table, key), out entry);

    /// <summary>The disk has no room to begin a store: <see cref="OpenDiskAsync"/> is tried again until it
    /// has.</summary>
    public bool WaitsForRoom { get; private set; }

    /// <summary>Opens the stores and takes up what is in them.</summary>
    /// <param name="options">How the log on the disk is kept.</param>
    public async ValueTask OpenAsync(LogOptions options)
    {
        await OpenDiskAsync(options);
        if (Failure.Length == 0)
        {
            Failure = await _stores.OpenMemoryAsync(_server, KeepsId ? 1 : _run);
            WaitsForRoom &= Failure.Length == 0;
        }

        if (Failure.Length == 0 && _stores.Memory is { IsOpen: true } memory)
        {
            TakeUp(memory);
        }
    }

    /// <summary>Opens the store on the disk; once more while it <see cref="WaitsForRoom"/>.</summary>
    /// <param name="options">How its log is kept.</param>
    public async ValueTask OpenDiskAsync(LogOptions options)
    {
        var opener = new StoreOpener(_server, _options, _stores, _members, Bans, _counters) { KeepsId = KeepsId };
        (Failure, DiskFailure) = (await opener.OpenDiskAsync(options), opener.DiskFailure);
        WaitsForRoom = opener.IsFull;
        if (Log is not { } log || Failure.Length > 0)
        {
            return;
        }

        foreach (Member member in _members.All.Where(static m => m.State.IsHeld))
        {
            Leases.Hold(member);
        }

        DiskRecords.Keeper.RotFound = StateDuty.Rotten;
        TakeUp(_stores.Disk);
        Snapshots.Open(log, opener.Records);
    }

    /// <summary>This server's part in a group; null: it has none.</summary>
    public Member? Find(GroupId id) => _members.Find(id);

    /// <summary>The store is one of the first start: it was blank when that was decided.</summary>
    /// <param name="founders">All stores of the first start.</param>
    /// <param name="atOnce">Groups may be born by that; else once <see cref="BeFounding"/> says so.</param>
    public void Found(byte[] founders, bool atOnce)
    {
        if (IsFounding)
        {
            return;
        }

        DiskRecords.Found.Founders = founders;
        DiskRecords.Recorder.OfStore(RecordKind.Founding, founders);
        DiskRecords.Recorder.Pump();
        if (atOnce)
        {
            BeFounding();
        }
    }

    /// <summary>Groups may be born by that this store is of the first start.</summary>
    public void BeFounding()
    {
        TakeBlank();
        foreach (Member member in _members.All)
        {
            if (member.State is { IsFounding: false, IsInMemory: false, Epoch: null, Birth: null, Fetching: null })
            {
                member.State = new GroupState(Store, isFounding: true);
            }
        }
    }

    /// <summary>Stores that were given up, as another server knows them. If this is one of them it ends.</summary>
    /// <param name="stores">Some of them.</param>
    public void Ban(ReadOnlySpan<byte> stores)
    {
        if (Bans.Add(stores) && Bans.Has(Store) && Failure.Length == 0)
        {
            Failure = Bans.Words;
            _stores.Close();
            _runner.Resign(_members.All);
        }
    }

    /// <summary>A message to this store that is not from a member.</summary>
    public void Take(GroupId id, in GroupMessage message)
    {
        if ((_members.Find(id) ?? Join(id, message)) is { } member)
        {
            Step(member, GroupEvent.Of(message));
        }
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

            bool isInMemory = _stores.IsInMemory(id.Table);
            if (message.From.Incarnation != 0)
            {
                Peers[from].Note(message.From, isInMemory);
            }

            if (!_stores.Of(id).IsOpen)
            {
                continue;
            }

            if (Bans.Has(message.From))
            {
                Bans.Heard(from);
                return true;
            }

            if (message.Kind is MessageKind.PreVote or MessageKind.RequestVote && !Admission.IsIn)
            {
                // It votes when it knows that it may. Who stands asks again.
                continue;
            }

            Member? member = _members.Find(id) ?? Join(id, message);
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
    public void Settle(Member member, in LogRecord head, Operation operation) =>
        member.Store.Records.Settled(member, head, operation);

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
        DiskRecords.Recorder.Pump();
        _stores.Memory?.Records.Recorder.Pump();
    }

    /// <summary>Forgets entries that need not be kept, if they are many, or the disk wants it.</summary>
    public void Tidy(Member member)
    {
        if (member.WantsTrim || member.Tail.Bytes >= _options.TailBytes || member.Shown - member.Tail.Base >= MostTail)
        {
            ulong last = Math.Min(member.Shown, member.State.Applied);
            Step(member, new GroupEvent { Kind = EventKind.Trim, Data = last });
            member.Store.Records.Trim(member);
        }
    }

    /// <summary>Where a group is written; null: it is not open.</summary>
    public StoreLog? LogOf(uint group) => _stores.Of(new GroupId(group)).Log;

    /// <summary>The same of a table.</summary>
    public StoreLog? LogOfTable(int table) => _stores.IsInMemory(table) ? _stores.Memory!.Log : Log;

    private MemberLog DiskRecords => _stores.Disk.Records;

    private void Failed(DiskStatus status)
    {
        Failure = $"the disk answered {status}";
        if (status != DiskStatus.Stopped)
        {
            // Named, and tried again from the start.
            _server.Loop.Run(() => throw new StoreFailureException(Failure));
        }
    }

    private bool KeepsId => Mistake == PlantedMistake.KeepsStoreId;

    private void TakeUp(MemberStore store)
    {
        TakeBlank();
        store.Log!.Tend(store.Records.Keeper);
    }

    private void TakeBlank() => _members.TakeBlank(_stores, BirthPlanOf);

    private FirstServers? FirstServers => Founders is { } stores ? _first ??= new FirstServers(stores) : null;

    // A group that this server has no part in by the plan makes it a member, or asks it.
    private Member? Join(GroupId id, in GroupMessage message)
    {
        MemberStore store = _stores.Of(id);
        bool isAsked = message.Kind switch
        {
            MessageKind.StartEpoch => message.Epoch!.PositionOf(store.Id) >= 0,
            MessageKind.Recover => !store.IsInMemory && message.Recovery!.PlaceOf(store.Id) >= 0,
            _ => false,
        };

        // In memory: the one before was a member, which somebody has to be told.
        bool isForOther = store.IsInMemory && message.To.Incarnation != 0 && message.To != store.Id;
        if (!isAsked && !isForOther)
        {
            return null;
        }

        Member member = store.Records.Found.Blank(id, _members.PlanOf(id), store);
        _members.Take(member);
        return member;
    }

    private void StepOne(Member member, in GroupEvent happened)
    {
        _actions.Clear();
        if (Leases.IsHoldOver(member))
        {
            GroupCore.Step(member.State, GroupEvent.Of(EventKind.HoldOver), _actions);
        }

        GroupCore.Step(member.State, happened, _actions);
        if (Mistake == PlantedMistake.UsesEpochEarly)
        {
            PlantedSteps.UseEpochEarly(member.State, _actions);
        }

        foreach (GroupAction action in _actions)
        {
            Watch?.Invoke(member, action);
            if (action.Kind == ActionKind.Fetch && Mistake == PlantedMistake.ActsWithoutState)
            {
                Step(member, PlantedSteps.Installed(action));
                continue;
            }

            _runner.Run(member, action, _incoming);
        }

        Peers.Count(member);
    }
}
