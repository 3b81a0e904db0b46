using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Writes what groups want to keep into the log, in the order in which they said it, and says when it is
/// durable. What the log has no room for waits here. Loop only.</summary>
/// <param name="synced">Is told of each sync point that was reached.</param>
/// <param name="located">Is told that a record of an entry is durable, and which.</param>
/// <param name="settled">Is told where a change lies that was sent with a state.</param>
/// <param name="placed">Is told where any other record lies.</param>
/// <param name="pieces">Pieces of values.</param>
internal sealed class Recorder(
    Action<Member, GroupSync> synced,
    Action<Member, TailEntry, int> located,
    Action<Member, LogRecord, Operation, LogLocation> settled,
    Action<Member?, RecordKind, ulong, LogLocation> placed,
    LogPieces pieces
)
{
    /// <summary>Of an operation: it is applied, whatever its group's log says.</summary>
    public const byte SettledFlag = 0x80;

    private const int MostPooled = 256;
    private readonly Stack<Record> _pool = new();
    private readonly Queue<Record> _waiting = new();
    private readonly Queue<Record> _appended = new();
    private readonly WireWriter _extra = new();
    private StoreLog? _log;
    private Record? _latest;

    // A change that shares its write with no other one, on its way to the disk.
    private TailEntry? _alone;
    private bool _isUnwritten;

    /// <summary>Records that were to be written.</summary>
    public long Taken { get; private set; }

    /// <summary>How many of these are durable: the first ones.</summary>
    public long Durable => Taken - Behind;

    /// <summary>Records that are not durable yet.</summary>
    public int Behind => _waiting.Count + _appended.Count;

    /// <summary>A mistake that is made, for tests.</summary>
    public PlantedMistake Mistake { get; set; }

    public void Bind(StoreLog log) => _log = log;

    public void Promise(Member member)
    {
        GroupState state = member.State;
        if (Mistake == PlantedMistake.VotesUnsynced)
        {
            _isUnwritten = true;
            return;
        }

        _extra.Clear();
        _extra.Byte((byte)(state.Voted + 1));
        Add(member, HeadOf(member, RecordKind.Promise, 0, state.Ballot));
    }

    public void Entry(Member member, TailEntry entry)
    {
        _extra.Clear();
        RecordKind kind = RecordKind.Operation;
        if (entry.Operation is null)
        {
            kind = RecordKind.Entry;
            GroupMessageFormat.Write(_extra, entry.Entry);
        }

        LogRecord head = HeadOf(member, kind, entry.Index, entry.Entry.Ballot);
        for (int record = 0; record < entry.Records; record++)
        {
            Add(member, head, entry, record);
        }
    }

    public void Epoch(Member member)
    {
        GroupState state = member.State;
        _extra.Clear();
        EpochFormat.Write(_extra, state.EndedBallot);
        _extra.Byte((byte)((state.HasEnd ? 1 : 0) | (state.IsDropped ? 2 : 0)));
        EpochFormat.Write(_extra, state.Epoch);

        member.Drops.Enqueue(state.IsDropped);

        // What was applied before a state was fetched did not come with it.
        member.Runs.Write(_extra);
        Add(member, HeadOf(member, RecordKind.Epoch, state.EpochIndex, state.Ballot));
    }

    public void Recovery(Member member)
    {
        _extra.Clear();
        _extra.Byte(member.State.IsDecided ? (byte)1 : (byte)0);
        EpochFormat.Write(_extra, member.State.Recovery);
        Add(member, HeadOf(member, RecordKind.Recovery, 0, default));
    }

    public void Birth(Member member)
    {
        GroupState state = member.State;
        _extra.Clear();
        EpochFormat.Write(_extra, state.Birth);
        _extra.UShort((ushort)state.Refused.Count);
        foreach (GroupEpoch refused in state.Refused)
        {
            EpochFormat.Write(_extra, refused);
        }

        Add(member, HeadOf(member, RecordKind.Birth, 0, default));
    }

    /// <summary>What is known of requests, if there is more of it than was written.</summary>
    public void Requests(Member member)
    {
        if (member.Requests.IsUnwritten)
        {
            WriteRequests(member);
        }
    }

    /// <summary>All up to where the log begins now is applied; entries behind that have their places.</summary>
    public void Position(Member member)
    {
        // First: what goes with the entries before it must not be forgotten with them.
        Requests(member);
        GroupState state = member.State;
        LogLocation? first = member.Tail.FirstBehind(state.BaseIndex, out _);
        _extra.Clear();
        _extra.Byte(state.BaseMarks.Away);
        _extra.Byte(state.BaseMarks.Whole);
        _extra.Byte(first is null ? (byte)0 : (byte)1);
        Write(_extra, first ?? default);
        Write(_extra, member.Void);
        member.Runs.Write(_extra);
        Add(member, HeadOf(member, RecordKind.Position, state.BaseIndex, state.BaseBallot));
        member.Positioned = state.BaseIndex;
    }

    /// <summary>A change that is applied elsewhere, and lies in no log here.</summary>
    public void Settled(Member member, in LogRecord head, Operation operation)
    {
        LogRecord settled = head with { Flags = (byte)(head.Flags | SettledFlag), Group = member.Id.Number };
        Wait(Rent(member, settled, operation: operation));
    }

    /// <summary>Writes a piece of a value, behind all that waits; what its group needs never waits for it.</summary>
    /// <param name="group">The group that it is for.</param>
    /// <param name="piece">The piece.</param>
    /// <param name="bytes">What is in it.</param>
    public LogAnswer Piece(uint group, PieceWrite piece, ReadOnlySpan<byte> bytes)
    {
        if (_waiting.Count > 0 || _alone is not null || _log is not { } log)
        {
            return LogAnswer.Busy;
        }

        LogAnswer answer = pieces.Append(log, group, piece.Id, piece.Number, bytes, out _);
        if (answer == LogAnswer.Taken)
        {
            Taken++;
            _appended.Enqueue(Rent(null, default, piece: piece));
        }

        return answer;
    }

    /// <summary>Writes what is of the store, and of no group.</summary>
    /// <param name="kind">What.</param>
    /// <param name="stores">All that it is of.</param>
    /// <returns>Whether it is in the log's hands.</returns>
    public bool OfStore(RecordKind kind, byte[] stores)
    {
        var head = new LogRecord { Kind = (byte)kind };
        Wait(Rent(null, head, extra: stores));
        Pump();
        return _waiting.Count == 0;
    }

    /// <summary>Nothing before counts any more.</summary>
    public void Anew() => Wait(Rent(null, new LogRecord { Kind = (byte)RecordKind.Anew }));

    /// <summary>Writes a record anew that says how things are.</summary>
    /// <returns>Whether it is in the log's hands.</returns>
    public bool Rewrite(Member member, RecordKind kind)
    {
        switch (kind)
        {
            case RecordKind.Promise:
                Promise(member);
                break;
            case RecordKind.Epoch:
                Epoch(member);
                break;
            case RecordKind.Birth:
                Birth(member);
                break;
            case RecordKind.Recovery:
                Recovery(member);
                break;
            case RecordKind.Requests:
                WriteRequests(member);
                break;
            default:
                break;
        }

        Pump();
        return _waiting.Count == 0;
    }

    /// <summary>Says so when all that was written last of a member is durable.</summary>
    public void Sync(Member member, in GroupSync sync)
    {
        if (_isUnwritten || Mistake == PlantedMistake.SaysUnsynced)
        {
            synced(member, sync);
            return;
        }

        if (_latest is not { } latest || latest.Member != member)
        {
            throw new InvalidOperationException("A sync follows on what it is of.");
        }

        latest.Sync = sync;
    }

    /// <summary>Hands the log what it has room for.</summary>
    public void Pump()
    {
        while (_log is { } log && _waiting.TryPeek(out Record? record))
        {
            bool isWithOther = _alone is not null ? record.Entry != _alone : record.IsAlone && _appended.Count > 0;
            if (isWithOther)
            {
                return;
            }

            bool isTaken = record.Operation is { } operation
                ? TryAppend(log, record, operation)
                : log.TryAppend(record.Head, default, record.Extra, default, out _);
            if (!isTaken)
            {
                return;
            }

            _alone = record.IsAlone ? record.Entry : null;
            _appended.Enqueue(_waiting.Dequeue());
        }
    }

    /// <summary>The oldest records are durable.</summary>
    public void Synced(ReadOnlySpan<LogLocation> locations)
    {
        foreach (LogLocation location in locations)
        {
            Record record = _appended.Dequeue();
            if (record.Piece is { } piece)
            {
                pieces.Place(piece.Id, piece.Number, location);
                piece.Written();
            }
            else if (record.Entry is { } entry)
            {
                entry.Locate(record.Number, location);
                located(record.Member!, entry, record.Number);
            }
            else if (record.Operation is { } operation)
            {
                settled(record.Member!, record.Head, operation, location);
            }
            else
            {
                placed(record.Member, (RecordKind)record.Head.Kind, record.Head.Index, location);
            }

            if (record.HasSync)
            {
                synced(record.Member!, record.Sync);
            }

            Return(record);
        }

        _alone = _appended.Count > 0 ? _alone : null;
        Pump();
    }

    private void WriteRequests(Member member)
    {
        _extra.Clear();
        member.Requests.Write(_extra);
        member.Requests.NoteWritten();
        Add(member, HeadOf(member, RecordKind.Requests, member.Shown, default));
    }

    private static void Write(WireWriter writer, LogLocation place)
    {
        writer.UInt(place.Segment);
        writer.UInt(place.Offset);
    }

    private static LogRecord HeadOf(Member member, RecordKind kind, ulong index, Ballot ballot) =>
        new()
        {
            Kind = (byte)kind,
            Group = member.Id.Number,
            Index = index,
            Generation = ballot.Generation,
            Epoch = ballot.Epoch,
            Term = ballot.Term,
        };

    private static LogRecord WithOperation(in LogRecord head, TailEntry entry, Operation operation) =>
        head with
        {
            Flags = OperationFormat.FlagsOf(operation),
            Expires = operation.Expires,
            Version = entry.Version,
        };

    private bool TryAppend(StoreLog log, Record record, Operation operation)
    {
        _extra.Clear();
        OperationFormat.WriteExtra(_extra, operation);
        return log.TryAppend(record.Head, operation.Key, _extra.Written, operation.Value, out _);
    }

    private void Add(Member member, in LogRecord head, TailEntry? entry = null, int number = 0)
    {
        Wait(
            entry?[number] is { } operation
                ? Rent(member, WithOperation(head, entry, operation), entry, number, operation)
                : Rent(member, head, entry, extra: _extra.Written.ToArray())
        );
        _isUnwritten = false;
    }

    private void Wait(Record record)
    {
        Taken++;
        _waiting.Enqueue(_latest = record);
    }

    private Record Rent(
        Member? member,
        in LogRecord head,
        TailEntry? entry = null,
        int number = 0,
        Operation? operation = null,
        PieceWrite? piece = null,
        byte[]? extra = null
    )
    {
        Record record = _pool.TryPop(out Record? pooled) ? pooled : new Record();
        (record.Member, record.Head, record.Entry, record.Number) = (member, head, entry, number);
        (record.Operation, record.Piece, record.Extra) = (operation, piece, extra ?? []);
        return record;
    }

    // It is durable, and what was to be said of it was said.
    private void Return(Record record)
    {
        if (_latest == record)
        {
            _latest = null;
        }

        record.Clear();
        if (_pool.Count < MostPooled)
        {
            _pool.Push(record);
        }
    }

    /// <summary>One record on its way; used again.</summary>
    private sealed class Record
    {
        private GroupSync _sync;

        public Member? Member { get; set; }

        public LogRecord Head { get; set; }

        public TailEntry? Entry { get; set; }

        public byte[] Extra { get; set; } = [];

        /// <summary>It shares its write and its sync with no other change.</summary>
        public bool IsAlone => Entry is not null && Member is { SyncsEach: true };

        public Operation? Operation { get; set; }

        /// <summary>Which of its entry's.</summary>
        public int Number { get; set; }

        public PieceWrite? Piece { get; set; }

        public bool HasSync { get; private set; }

        public GroupSync Sync
        {
            get => _sync;
            set => (HasSync, _sync) = (true, value);
        }

        public void Clear()
        {
            (Member, Head, Entry, Number) = (null, default, null, 0);
            (Operation, Piece, Extra, HasSync, _sync) = (null, null, [], false, default);
        }
    }
}
