using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>What the records of a store come to, in the order in which they were written.</summary>
/// <param name="clear">Forgets all that was applied.</param>
/// <param name="apply">Notes a change that is applied.</param>
/// <param name="settle">The same of one that needs no more than its head and its key.</param>
/// <param name="forget">Forgets what was applied of a group and lies before a place.</param>
/// <param name="place">Notes where a piece of a value lies; false: it is none.</param>
/// <param name="room">How much of requests may be kept.</param>
internal sealed class StoreReplay(
    Action clear,
    Action<GroupId, TailEntry> apply,
    SettledChange settle,
    Action<GroupId, LogLocation> forget,
    PlacePiece place,
    AnswerRoom room
)
{
    private readonly Dictionary<GroupId, GroupReplay> _groups = [];
    private bool _isBroken;

    /// <summary>The stores of the first start, if this is one of them.</summary>
    public byte[]? Founders { get; set; }

    /// <summary>Where the founders lie.</summary>
    public LogLocation FoundersPlace { get; private set; }

    /// <summary>The stores that were given up by hand, if there are any.</summary>
    public byte[]? Banned { get; set; }

    /// <summary>Where those lie.</summary>
    public LogLocation BannedPlace { get; private set; }

    /// <summary>Where it began anew.</summary>
    public LogLocation AnewPlace { get; private set; }

    /// <summary>Groups of which something was found, in their order.</summary>
    public IEnumerable<GroupReplay> Groups => _groups.Values.OrderBy(static g => g.Id.Number);

    /// <summary>Records that are right do not fit together.</summary>
    public bool IsBroken => _isBroken || _groups.Values.Any(static g => g.IsBroken);

    /// <summary>Takes the next record.</summary>
    /// <param name="record">The head.</param>
    /// <param name="key">The key.</param>
    /// <param name="extra">What belongs to it beside key and value.</param>
    /// <param name="value">The value, if it is there.</param>
    /// <param name="location">Where it lies.</param>
    /// <param name="awayLength">The value's bytes, if it is not there.</param>
    public void Take(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location,
        int awayLength = 0
    )
    {
        switch ((RecordKind)record.Kind)
        {
            case RecordKind.Founding:
                (Founders, FoundersPlace) = (extra.ToArray(), location);
                return;
            case RecordKind.Banned:
                (Banned, BannedPlace) = (extra.ToArray(), location);
                return;
            case RecordKind.Anew:
                BeginAnew();
                AnewPlace = location;
                return;
            case RecordKind.Piece:
                _isBroken |= !place(key, location);
                return;
            default:
                break;
        }

        var id = new GroupId(record.Group);
        if (!_groups.TryGetValue(id, out GroupReplay? group))
        {
            _groups[id] = group = new GroupReplay(id, new RequestMemory(room))
            {
                Apply = apply,
                Settle = settle,
                Forget = forget,
            };
        }

        group.Take(record, key, extra, value, location, awayLength);
    }

    /// <summary>Takes a record that a snapshot names. That it began anew ends nothing then: the snapshot was written
    /// later, by the store that it has been since.</summary>
    public void TakeInSnapshot(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    )
    {
        if ((RecordKind)record.Kind == RecordKind.Anew)
        {
            AnewPlace = location;
        }
        else
        {
            Take(record, key, extra, value, location);
        }
    }

    /// <summary>This server's part in a group of which nothing was found.</summary>
    public Member Blank(GroupId id, Coordinate[] planned, MemberStore store)
    {
        // One in memory that is blank is as good as any: there is no other that would know.
        var state = new GroupState(store.Id, store.IsInMemory || Founders is not null)
        {
            IsInMemory = store.IsInMemory,
        };
        return new Member(id, planned, state, new Tail(0), new RequestMemory(room)) { Store = store };
    }

    /// <summary>Nothing that was found counts.</summary>
    public void BeginAnew()
    {
        _groups.Clear();
        room.Kept = 0;
        clear();
        (Founders, FoundersPlace) = (null, default);
        BannedPlace = default;
    }

    /// <summary>All is to be found once more.</summary>
    public void Again()
    {
        BeginAnew();
        (AnewPlace, _isBroken, Banned) = (default, false, null);
    }

    /// <summary>Forgets what was found; the founders stay.</summary>
    public void Clear() => _groups.Clear();
}
