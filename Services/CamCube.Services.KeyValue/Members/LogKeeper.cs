using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// Knows which records of the log are needed: the last change of each key, entries that are not settled yet, and of
/// each group the last record of each kind. Only changes are copied, and say so; what depends on the order is written
/// anew. Loop only.
/// </summary>
/// <param name="index">The last change of each key.</param>
/// <param name="hasher">Names keys in it.</param>
/// <param name="find">This server's part in a group.</param>
/// <param name="rewrite">Writes a group's record of a kind anew; false: not now.</param>
/// <param name="pieces">Which pieces of values are needed, out of the same usage.</param>
/// <param name="usage">Where needed bytes are counted.</param>
internal sealed class LogKeeper(
    KeyIndex index,
    KeyHasher hasher,
    Func<GroupId, Member?> find,
    Func<Member?, RecordKind, bool> rewrite,
    PieceKeeper pieces,
    LogUsage usage
) : ILogIndex
{
    private const int FoundAtOnce = 48;
    private readonly FoundChange[] _found = new FoundChange[FoundAtOnce];
    private int _foundCount;
    private LogLocation _founding;
    private LogLocation _anew;
    private LogLocation _banned;

    /// <inheritdoc/>
    public byte CopyFlags => Recorder.SettledFlag;

    /// <summary>Keys that are known, deleted ones too.</summary>
    public int Keys => index.Count;

    /// <inheritdoc/>
    public long Needed => usage.Total;

    /// <summary>The first start is written down, for good.</summary>
    public bool HasFounding => _founding.Length > 0;

    /// <summary>Who was given up is written down.</summary>
    public bool HasBanned => _banned.Length > 0;

    /// <summary>Ranges of the log that are not as they were written.</summary>
    public int Rotten { get; private set; }

    /// <summary>Is told of such a range.</summary>
    public Action<LogKeeper, uint, long, long> RotFound { get; set; } = static (_, _, _, _) => { };

    /// <summary>When keys end.</summary>
    public required Expiries Expiries { get; init; }

    /// <summary>The oldest segment that is there.</summary>
    public Func<uint> OldestSegment { get; set; } = static () => 0;

    /// <summary>A mistake that is made, for tests: deletes are forgotten at once.</summary>
    public bool DropsDeletes { get; set; }

    /// <summary>A record of an entry at the end of a group's log has its place.</summary>
    public void Located(TailEntry entry, int record) => Need(entry.PlaceOf(record), entry[record]);

    /// <summary>An entry is at the end of its group's log no more.</summary>
    public void Forgotten(Member member, TailEntry entry)
    {
        for (int record = 0; record < entry.Records; record++)
        {
            LogLocation place = entry.PlaceOf(record);
            bool isIndexed =
                entry[record] is { } operation
                && index.TryGet(member.Id.Number, hasher.Of(member.Id.Table, operation.Key), out IndexEntry known)
                && known.Location == place;
            if (place.Length > 0 && !isIndexed)
            {
                Forget(place);
            }
        }
    }

    /// <summary>A change is applied.</summary>
    /// <param name="group">Its group.</param>
    /// <param name="entry">The change.</param>
    public void Put(GroupId group, TailEntry entry)
    {
        for (int record = 0; record < entry.Records; record++)
        {
            Put(group, entry, entry[record]!, entry.PlaceOf(record));
        }
    }

    /// <summary>The same of the first key of a batch only, for tests.</summary>
    public void PutFirst(GroupId group, TailEntry entry) => Put(group, entry, entry[0]!, entry.PlaceOf(0));

    private void Put(GroupId group, TailEntry entry, Operation operation, LogLocation place)
    {
        if (!operation.IsChange)
        {
            // Needed while it is at the end of its group's log, and by no key.
            return;
        }

        var change = new IndexEntry(entry.Version, place, operation.ValueLength, group.Number, operation.IsDelete)
        {
            IsInPieces = operation.Pieces is not null,
        };
        TakeFound();
        Member? member = find(group);
        UInt128 key = hasher.Of(group.Table, operation.Key);
        if (Put(member, key, change, operation.Expires, operation.TimeOf) && member?.Tail.Has(entry) != true)
        {
            Need(place, operation);
        }
    }

    /// <summary>The same of a change that was found, and needs no more than its head and its key.</summary>
    public void Put(GroupId group, in LogRecord record, ReadOnlySpan<byte> key, int valueLength, LogLocation location)
    {
        if (_foundCount == _found.Length)
        {
            TakeFound();
        }

        bool isDelete = (record.Flags & ~Recorder.SettledFlag) == (byte)OperationKind.Delete;
        ulong version = ((ulong)record.Generation << 40) | record.Index;
        var change = new IndexEntry(version, location, valueLength, group.Number, isDelete);
        _found[_foundCount++] = new FoundChange(hasher.Of(group.Table, key), change, record.Expires);
    }

    /// <summary>Notes the changes that were found and are not noted yet: before anything else is asked of the
    /// index.</summary>
    public void TakeFound()
    {
        ReadOnlySpan<FoundChange> changes = _found.AsSpan(0, _foundCount);
        index.Touch(changes);
        _foundCount = 0;
        foreach (ref readonly FoundChange change in changes)
        {
            if (Put(find(new GroupId(change.Entry.Group)), change.Name, change.Entry, change.Expires, 0))
            {
                usage.Add(change.Entry.Location);
            }
        }
    }

    // False: it is not needed.
    private bool Put(Member? member, UInt128 key, IndexEntry entry, uint expires, ulong timeOf)
    {
        uint group = entry.Group;
        bool isKnown = index.TryGet(group, key, out IndexEntry known);
        if (isKnown && (known.Version > entry.Version || known.Location == entry.Location))
        {
            return false;
        }

        if (isKnown && !IsInTail(member, known))
        {
            Forget(known.Location);
        }
        else if (isKnown && known.IsInPieces)
        {
            // Its pieces are garbage once its entry is settled: they are too many to wait for others.
            member!.WantsTrim = true;
        }

        if (entry.IsDeleted && DropsDeletes)
        {
            index.Remove(group, key);
            return false;
        }

        // The same change may be found again, elsewhere; its time goes on. So does that of a version that a change left
        // as it was: what was left was rounded, and would never end where a key is changed every millisecond.
        bool goesOn = isKnown && (known.Version == entry.Version || (known.Version == timeOf && known.DueNanos != 0));
        long due = goesOn ? known.DueNanos : Expiries.DueAfter(expires);
        if (due != 0 && !(isKnown && known.Version == entry.Version))
        {
            Expiries.Add(group, key, entry.Version, due);
        }

        index.Put(key, entry with { DueNanos = due });
        return true;
    }

    /// <summary>A group's keys are of no use here any more.</summary>
    /// <param name="member">The group, whose log is empty.</param>
    public void Remove(Member member) => Remove(member.Id, new LogLocation(uint.MaxValue, 0, 0));

    /// <summary>The same, while records are found.</summary>
    public void Remove(GroupId group, LogLocation before)
    {
        TakeFound();
        foreach ((UInt128 key, IndexEntry entry) in index.Of(group.Number).ToArray())
        {
            if (entry.Location.IsBefore(before))
            {
                index.Remove(group.Number, key);
                Forget(entry.Location);
            }
        }
    }

    /// <summary>A snapshot had keys whose records lie in a segment.</summary>
    public void Taken(TakenSegment segment) => usage.Add(segment.Number, segment.Bytes);

    /// <summary>Segments were deleted that keys of a snapshot lie in: what was needed of them has been found elsewhere
    /// by now, or is at the end of its group's log; deletes went with them.</summary>
    /// <returns>False: something else is needed there.</returns>
    public bool DropIn(HashSet<uint> gone)
    {
        TakeFound();
        if (!gone.Any(segment => usage.Of(segment) > 0))
        {
            return true;
        }

        foreach (uint group in index.Groups)
        {
            foreach ((UInt128 key, IndexEntry entry) in index.Of(group).ToArray())
            {
                if (gone.Contains(entry.Location.Segment))
                {
                    index.Remove(group, key);
                    Forget(entry.Location);
                }
            }
        }

        return gone.All(segment => usage.Of(segment) == 0);
    }

    /// <summary>Adds where those records lie that are of no group.</summary>
    public void AddPlaces(List<LogLocation> places)
    {
        places.Add(_founding);
        places.Add(_anew);
        places.Add(_banned);
    }

    /// <summary>An entry was found that is at the end of its group's log. A snapshot may know its key already: then it
    /// is counted as that is.</summary>
    public void Found(Member member, TailEntry entry)
    {
        for (int record = 0; record < entry.Records; record++)
        {
            LogLocation place = entry.PlaceOf(record);
            bool isIndexed =
                entry[record] is { } operation
                && index.TryGet(member.Id.Number, hasher.Of(member.Id.Table, operation.Key), out IndexEntry known)
                && known.Location == place;
            if (!isIndexed)
            {
                Located(entry, record);
            }
        }
    }

    /// <summary>A record is needed that was found.</summary>
    public void Count(LogLocation place)
    {
        if (place.Length > 0)
        {
            usage.Add(place);
        }
    }

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        _foundCount = 0;
        index.Clear();
        usage.Clear();
        pieces.Clear();
    }

    /// <summary>A record of a kind of which only the last one counts has its place.</summary>
    public void Located(Member? member, RecordKind kind, LogLocation location)
    {
        ref LogLocation now = ref PlaceOf(member, kind);
        if (now.Length > 0)
        {
            usage.Remove(now);
        }

        now = location;
        Count(location);
    }

    /// <inheritdoc/>
    public bool IsWholeInHint(in LogRecord record) =>
        record.Kind == (byte)RecordKind.Operation
        && !OperationFormat.CanDoWithoutValue((byte)(record.Flags & ~Recorder.SettledFlag));

    /// <inheritdoc/>
    public long NeededBytes(uint segment) => usage.Of(segment);

    /// <inheritdoc/>
    public LogNeed NeedOf(in LogRecord record, ReadOnlySpan<byte> key, LogLocation location)
    {
        var kind = (RecordKind)record.Kind;
        if (kind == RecordKind.Piece)
        {
            return pieces.Pieces.NeedOf(key, location);
        }

        var group = new GroupId(record.Group);
        Member? member = kind is RecordKind.Founding or RecordKind.Anew or RecordKind.Banned ? null : find(group);
        if (kind == RecordKind.Anew)
        {
            // As long as there is anything before it.
            return location != _anew || OldestSegment() == location.Segment ? LogNeed.None : LogNeed.Later;
        }

        if (kind is RecordKind.Operation or RecordKind.Entry)
        {
            if (member is not null && IsInTail(member, record.Index, location))
            {
                // Soon it is settled, or was never to be.
                member.WantsTrim = true;
                return LogNeed.Later;
            }

            bool isIndexed =
                kind == RecordKind.Operation
                && index.TryGet(group.Number, hasher.Of(group.Table, key), out IndexEntry entry)
                && entry.Location == location;
            return isIndexed ? LogNeed.Copy : LogNeed.None;
        }

        return PlaceOf(member, kind) != location ? LogNeed.None
            : rewrite(member, kind) ? LogNeed.Rewritten
            : LogNeed.Later;
    }

    /// <inheritdoc/>
    public void Moved(in LogRecord record, ReadOnlySpan<byte> key, LogLocation from, LogLocation to)
    {
        if (record.Kind == (byte)RecordKind.Piece)
        {
            pieces.Pieces.Moved(key, from, to);
            return;
        }

        UInt128 name = hasher.Of(new GroupId(record.Group).Table, key);
        if (index.TryGet(record.Group, name, out IndexEntry entry) && entry.Location == from)
        {
            index.Put(name, entry with { Location = to });
            usage.Remove(from);
            usage.Add(to);
            pieces.Moved(from, to);
        }
    }

    /// <inheritdoc/>
    public void Dropped(in LogRecord record, ReadOnlySpan<byte> key, LogLocation location)
    {
        UInt128 name = hasher.Of(new GroupId(record.Group).Table, key);
        if (index.TryGet(record.Group, name, out IndexEntry entry) && entry.Location == location)
        {
            index.Remove(record.Group, name);
            Forget(location);
        }
    }

    void ILogIndex.Rotten(uint segment, long from, long to)
    {
        Rotten++;
        RotFound(this, segment, from, to);
    }

    /// <summary>Writes anew what is known of groups, and lay in a range.</summary>
    public void RewriteIn(IEnumerable<Member> members, uint segment, long from, long to)
    {
        if (IsIn(_founding))
        {
            rewrite(null, RecordKind.Founding);
        }

        if (IsIn(_banned))
        {
            rewrite(null, RecordKind.Banned);
        }

        foreach (Member member in members)
        {
            for (int kind = 0; kind < member.Places.Length; kind++)
            {
                if (IsIn(member.Places[kind]))
                {
                    rewrite(member, (RecordKind)kind);
                }
            }
        }

        bool IsIn(LogLocation place) =>
            place.Length > 0 && place.Segment == segment && place.Offset < to && place.Offset + place.Length > from;
    }

    private static bool IsInTail(Member? member, in IndexEntry entry) =>
        member is not null && IsInTail(member, entry.Version & ((1UL << 40) - 1), entry.Location);

    private static bool IsInTail(Member member, ulong at, LogLocation location) =>
        member.Tail.Has(at) && member.Tail[at].LiesAt(location);

    private void Need(LogLocation location, Operation? operation)
    {
        usage.Add(location);
        pieces.Named(location, operation);
    }

    private void Forget(LogLocation location)
    {
        usage.Remove(location);
        pieces.Forgotten(location);
    }

    private ref LogLocation PlaceOf(Member? member, RecordKind kind)
    {
        if (member is null)
        {
            return ref kind == RecordKind.Founding
                ? ref _founding
                : ref kind == RecordKind.Banned ? ref _banned : ref _anew;
        }

        return ref member.Places[(int)kind];
    }
}
