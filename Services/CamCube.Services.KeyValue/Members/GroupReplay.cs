using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>What the records of one group come to, in the order in which they were written.</summary>
internal sealed class GroupReplay(GroupId id)
{
    private readonly Tail _tail = new(0);
    private readonly List<GroupEpoch> _refused = [];
    private GroupEpoch? _birth;
    private GroupEpoch? _epoch;
    private ulong _epochIndex;
    private Ballot _endedBallot;
    private bool _hasEnd;
    private bool _isDropped;
    private Ballot _ballot;
    private int _voted = -1;
    private ulong _baseIndex;
    private Ballot _baseBallot;
    private GroupMarks _baseMarks;

    public GroupId Id => id;

    /// <summary>Operations that were found to be applied, for the index and for those who ask again.</summary>
    public required Action<GroupId, TailEntry> Apply { get; init; }

    /// <summary>A record that is right does not fit those before it.</summary>
    public bool IsBroken { get; private set; }

    public void Take(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    )
    {
        var ballot = new Ballot(record.Generation, record.Epoch, record.Term);
        var reader = new WireReader(extra);
        switch ((RecordKind)record.Kind)
        {
            case RecordKind.Operation:
                byte kind = (byte)(record.Flags & ~Recorder.SettledFlag);
                Operation? operation = OperationFormat.ReadExtra(kind, key, extra, value);
                IsBroken |= operation is null;
                if (kind != record.Flags)
                {
                    var settled = new GroupEntry(EntryKind.Operation, ballot, 0);
                    Apply(id, new TailEntry(record.Index, settled, operation) { Location = location });
                    break;
                }

                TakeEntry(record.Index, new GroupEntry(EntryKind.Operation, ballot, 0), operation, location);
                break;
            case RecordKind.Entry:
                IsBroken |= !GroupMessageFormat.TryRead(ref reader, out GroupEntry entry);
                TakeEntry(record.Index, entry, null, location);
                break;
            case RecordKind.Promise:
                (_ballot, _voted) = (ballot, reader.Byte() - 1);
                break;
            case RecordKind.Epoch:
                TakeEpoch(ref reader, record.Index, ballot);
                break;
            case RecordKind.Birth:
                TakeBirth(ref reader);
                break;
            case RecordKind.Position:
                bool isJump = (record.Flags & Recorder.JumpFlag) != 0;
                TakePosition(record.Index, ballot, new GroupMarks(reader.Byte(), reader.Byte()), isJump);
                break;
            default:
                IsBroken = true;
                break;
        }

        IsBroken |= reader.IsBroken;
    }

    /// <summary>This server's part in the group.</summary>
    public Member End(StoreId self, bool isFounding, Coordinate[] planned)
    {
        List<GroupEntry> log = [];
        for (ulong index = _baseIndex + 1; index <= _tail.Last; index++)
        {
            log.Add(_tail[index].Entry);
        }

        var records = new GroupRecords
        {
            Refused = [.. _refused],
            Birth = _birth,
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
            Applied = _tail.Base,
        };
        return new Member(id, planned, GroupState.Of(self, isFounding, records), _tail);
    }

    private void TakeEntry(ulong index, in GroupEntry entry, Operation? operation, LogLocation location)
    {
        if (index <= _tail.Base)
        {
            // Written again after a sync that failed: it is known.
            return;
        }

        _tail.CutAfter(index - 1);
        if (index != _tail.Last + 1)
        {
            IsBroken = true;
            return;
        }

        _tail.Add(new TailEntry(index, entry, operation) { Location = location });
    }

    private void TakeEpoch(ref WireReader reader, ulong index, Ballot ballot)
    {
        _endedBallot = EpochFormat.ReadBallot(ref reader);
        byte flags = reader.Byte();
        (_hasEnd, _isDropped) = ((flags & 1) != 0, (flags & 2) != 0);
        if (!EpochFormat.TryRead(ref reader, out GroupEpoch? epoch) || epoch is null)
        {
            IsBroken = true;
            return;
        }

        (_epoch, _epochIndex, _ballot, _voted, _birth) = (epoch, index, ballot, -1, null);
        (_baseIndex, _baseBallot, _baseMarks) = (index, ballot, epoch.Marks);
        if (_hasEnd && _endedBallot == default)
        {
            // The state there was fetched, or there was none before.
            _tail.Reset(index);
        }
        else
        {
            _tail.CutAfter(index);
        }
    }

    private void TakeBirth(ref WireReader reader)
    {
        IsBroken |= !EpochFormat.TryRead(ref reader, out GroupEpoch? birth);
        _birth = birth;
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

    private void TakePosition(ulong index, Ballot ballot, GroupMarks marks, bool isJump)
    {
        if (isJump)
        {
            _tail.Reset(index);
        }

        for (ulong at = _tail.Base + 1; at <= Math.Min(index, _tail.Last); at++)
        {
            Apply(id, _tail[at]);
        }

        IsBroken |= index > _tail.Last;
        _tail.TrimTo(index);
        (_baseIndex, _baseBallot, _baseMarks) = (index, ballot, marks);
    }
}
