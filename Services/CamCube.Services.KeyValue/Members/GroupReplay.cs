using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// What the records of one group come to, in the order in which they were written, whatever of them the log does not
/// need any more. An entry is applied once a position says so, if it has the ballot that the position knows for its
/// index: others were replaced by records that may be gone.
/// </summary>
internal sealed class GroupReplay(GroupId id, RequestMemory requests)
{
    private readonly List<TailEntry> _open = [];
    private readonly List<GroupEpoch> _refused = [];
    private readonly BallotRuns _runs = new();
    private readonly BatchReplay _parts = new();
    private readonly LogLocation[] _places = new LogLocation[(int)RecordKind.Recovery + 1];
    private GroupEpoch? _birth;
    private GroupEpoch? _epoch;
    private GroupRecovery? _recovery;
    private bool _isDecided;
    private ulong _epochIndex;
    private Ballot _endedBallot;
    private bool _hasEnd;
    private bool _isDropped;
    private Ballot _ballot;
    private int _voted = -1;
    private ulong _applied;
    private ulong _baseIndex;
    private Ballot _baseBallot;
    private GroupMarks _baseMarks;
    private LogLocation _void;

    public GroupId Id => id;

    /// <summary>Changes that were found to be applied.</summary>
    public required Action<GroupId, TailEntry> Apply { get; init; }

    /// <summary>The same of one that needs no more than its head and its key.</summary>
    public required SettledChange Settle { get; init; }

    /// <summary>Of this group nothing counts that was written before a place.</summary>
    public required Action<GroupId, LogLocation> Forget { get; init; }

    /// <summary>A record that is right does not fit those before it.</summary>
    public bool IsBroken { get; private set; }

    public void Take(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location,
        int awayLength
    )
    {
        var ballot = new Ballot(record.Generation, record.Epoch, record.Term);
        var reader = new WireReader(extra);
        var kind = (RecordKind)record.Kind;
        switch (kind)
        {
            case RecordKind.Operation:
                byte flags = (byte)(record.Flags & ~Recorder.SettledFlag);
                bool isSettled = flags != record.Flags;
                if (IsPlain(flags, key) && (isSettled || record.Index <= _applied))
                {
                    if (!location.IsBefore(_void) && (isSettled || _runs.Has(record.Index, ballot)))
                    {
                        Settle(id, record, key, awayLength > 0 ? awayLength : value.Length, location);
                    }

                    return;
                }

                Operation? operation = OperationFormat.ReadExtra(flags, record.Expires, key, extra, value, awayLength);
                var change = new GroupEntry(EntryKind.Operation, ballot, 0);
                IsBroken |= operation is null;
                var taken = new TailEntry(record.Index, change, operation) { Location = location };
                TakeEntry(taken, isSettled);
                return;
            case RecordKind.Entry:
                IsBroken |= !GroupMessageFormat.TryRead(ref reader, out GroupEntry entry);
                TakeEntry(new TailEntry(record.Index, entry, null) { Location = location }, false);
                return;
            case RecordKind.Promise:
                (_ballot, _voted) = (ballot, reader.Byte() - 1);
                break;
            case RecordKind.Epoch:
                TakeEpoch(ref reader, record.Index, ballot, location);
                break;
            case RecordKind.Birth:
                TakeBirth(ref reader);
                break;
            case RecordKind.Position:
                TakePosition(ref reader, record.Index, ballot, location);
                break;
            case RecordKind.Requests:
                requests.Read(ref reader);
                break;
            case RecordKind.Recovery:
                _isDecided = reader.Byte() != 0;
                IsBroken |= !EpochFormat.TryRead(ref reader, out _recovery);
                _recovery = _recovery?.Next.IsAfter(_epoch) == true ? _recovery : null;
                break;
            default:
                IsBroken = true;
                return;
        }

        IsBroken |= reader.IsBroken;
        _places[(int)kind] = location;
    }

    /// <summary>This server's part in the group.</summary>
    public Member End(MemberStore store, bool isFounding, Coordinate[] planned)
    {
        var tail = new Tail(_applied);
        foreach (TailEntry entry in _open.Where(e => e.Index > _applied))
        {
            tail.CutAfter(entry.Index - 1);
            if (entry.Index == tail.Last + 1)
            {
                tail.Add(entry);
            }
            else
            {
                IsBroken = true;
            }
        }

        List<GroupEntry> log = [];
        for (ulong index = Math.Max(_baseIndex, tail.Base) + 1; index <= tail.Last; index++)
        {
            log.Add(tail[index].Entry);
        }

        var records = new GroupRecords
        {
            Refused = [.. _refused],
            Birth = _birth,
            Recovery = _recovery,
            IsDecided = _isDecided,
            Epoch = _epoch,
            EpochIndex = _epochIndex,
            EndedBallot = _endedBallot,
            HasEnd = _hasEnd,
            IsDropped = _isDropped,
            Ballot = _ballot,
            Voted = _voted,
            BaseIndex = _baseIndex,
            BaseBallot = _baseBallot,
            BaseMarks = _baseMarks,
            Log = log,
            Applied = tail.Base,
        };
        var state = GroupState.Of(store.Id, isFounding, records);
        var member = new Member(id, planned, state, tail, requests) { Store = store, Void = _void };
        member.Runs.Take(_runs);
        _places.CopyTo(member.Places, 0);
        return member;
    }

    // All that the index has of it follows from its head and its key.
    private static bool IsPlain(byte flags, ReadOnlySpan<byte> key) =>
        !key.IsEmpty && (OperationFormat.CanDoWithoutValue(flags) || (OperationKind)flags == OperationKind.Delete);

    private void TakeEntry(TailEntry entry, bool isSettled)
    {
        if (entry.Location.IsBefore(_void))
        {
            return;
        }

        if (!isSettled && entry.Index > _applied)
        {
            if (_parts.Join(entry) is { } whole)
            {
                _open.Add(whole);
            }
        }
        else if (isSettled || _runs.Has(entry.Index, entry.Entry.Ballot))
        {
            Apply(id, entry);
        }
    }

    private void TakeEpoch(ref WireReader reader, ulong index, Ballot ballot, LogLocation location)
    {
        Ballot ended = EpochFormat.ReadBallot(ref reader);
        byte flags = reader.Byte();
        if (!EpochFormat.TryRead(ref reader, out GroupEpoch? epoch) || epoch is null)
        {
            IsBroken = true;
            return;
        }

        var runs = new BallotRuns();
        if (reader.Left > 0)
        {
            runs.Read(ref reader);
        }

        bool isNew = epoch.IsAfter(_epoch);
        (_hasEnd, _isDropped) = ((flags & 1) != 0, (flags & 2) != 0);
        (_epoch, _epochIndex, _endedBallot, _birth) = (epoch, index, ended, null);
        if (ballot > _ballot)
        {
            (_ballot, _voted) = (ballot, -1);
        }

        if (isNew)
        {
            // What was not committed in the epochs before never was; if the state was fetched, that has all of them but
            // those that were applied here.
            bool isFetched = _hasEnd && ended == default;
            foreach (TailEntry entry in _open.Where(e => isFetched && e.Index <= index))
            {
                if (runs.Has(entry.Index, entry.Entry.Ballot))
                {
                    Apply(id, entry);
                }
            }

            _open.RemoveAll(e => e.Entry.Ballot < epoch.First && (isFetched || e.Index > index));
            _applied = isFetched ? Math.Max(_applied, index) : _applied;
            if (index >= _baseIndex)
            {
                (_baseIndex, _baseBallot, _baseMarks) = (index, epoch.First, epoch.Marks);
            }
        }

        if (_isDropped || _recovery?.Next.IsAfter(epoch) == false)
        {
            (_recovery, _isDecided) = (null, false);
        }

        if (_isDropped)
        {
            // What comes after it may begin before where this ended, in another generation.
            ForgetBefore(location);
            (_applied, _baseIndex, _baseBallot, _baseMarks) = (0, 0, default, default);
            _runs.Take(new BallotRuns());
        }
    }

    private void TakeBirth(ref WireReader reader)
    {
        IsBroken |= !EpochFormat.TryRead(ref reader, out GroupEpoch? birth);
        _birth = _epoch is null ? birth : null;
        _refused.Clear();
        for (int count = reader.UShort(); count > 0 && !reader.IsBroken; count--)
        {
            IsBroken |= !EpochFormat.TryRead(ref reader, out GroupEpoch? refused) || refused is null;
            if (refused is not null)
            {
                _refused.Add(refused);
            }
        }
    }

    private void TakePosition(ref WireReader reader, ulong index, Ballot ballot, LogLocation location)
    {
        var marks = new GroupMarks(reader.Byte(), reader.Byte());
        bool hasFirst = reader.Byte() != 0;
        var first = new LogLocation(reader.UInt(), reader.UInt(), 0);
        ForgetBefore(new LogLocation(reader.UInt(), reader.UInt(), 0));
        _runs.Read(ref reader);
        first = hasFirst ? first : location;
        foreach (TailEntry entry in _open.Where(e => e.Index <= index && _runs.Has(e.Index, e.Entry.Ballot)))
        {
            Apply(id, entry);
        }

        _open.RemoveAll(e => e.Index <= index || e.Location.IsBefore(first));
        _parts.Forget(index);
        _applied = index;
        (_baseIndex, _baseBallot, _baseMarks) = (index, ballot, marks);
    }

    private void ForgetBefore(LogLocation place)
    {
        if (_void.IsBefore(place))
        {
            _void = place;
            _open.RemoveAll(e => e.Location.IsBefore(place));
            Forget(id, place);
        }
    }
}
