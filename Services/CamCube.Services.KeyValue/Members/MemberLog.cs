using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>The logs of all groups of a server as they come to lie in its one log and its index: what is written for
/// them, what is shown of them, and what is found of them at a start. Loop only.</summary>
internal sealed class MemberLog
{
    private readonly IGroupDuty _duty;
    private readonly KeyHasher _hasher;
    private (Member Member, TailEntry Entry)? _torn;

    /// <param name="index">Where keys lie.</param>
    /// <param name="hasher">Names keys.</param>
    /// <param name="duty">Is told of entries that are shown.</param>
    /// <param name="find">This server's part in a group.</param>
    /// <param name="synced">Is told of each sync point that was reached.</param>
    /// <param name="now">The time, in nanoseconds.</param>
    /// <param name="keepNanos">How long pieces of values are kept that nothing names.</param>
    /// <param name="room">How many answers may be remembered.</param>
    /// <param name="expiries">When keys end.</param>
    public MemberLog(
        KeyIndex index,
        KeyHasher hasher,
        IGroupDuty duty,
        Func<GroupId, Member?> find,
        Action<Member, GroupSync> synced,
        Func<long> now,
        long keepNanos,
        AnswerRoom room,
        Expiries expiries
    )
    {
        (_duty, _hasher) = (duty, hasher);
        var usage = new LogUsage();
        var pieces = new LogPieces(usage, (byte)RecordKind.Piece);
        Pieces = new PieceKeeper(pieces, now, keepNanos);
        Keeper = new LogKeeper(index, hasher, find, Rewrite, Pieces, usage) { Expiries = expiries };
        Found = new StoreReplay(
            Keeper.Clear,
            Keep,
            Keeper.Put,
            Keeper.Remove,
            (key, place) => pieces.Place(key, place),
            room
        );
        Recorder = new Recorder(synced, Place, Settle, Place, pieces);
        Snapshot = new StoreSnapshot(index, hasher, Keeper, Pieces, now);
    }

    /// <summary>Is told that from now on nothing counts that was found in a damaged store.</summary>
    public Action BeganAnew { get; set; } = static () => { };

    /// <summary>Which pieces of values are needed.</summary>
    public PieceKeeper Pieces { get; }

    /// <summary>Which records are needed.</summary>
    public LogKeeper Keeper { get; }

    /// <summary>What was found at the start.</summary>
    public StoreReplay Found { get; }

    /// <summary>What snapshots have of it.</summary>
    public StoreSnapshot Snapshot { get; }

    /// <summary>What is written.</summary>
    public Recorder Recorder { get; }

    /// <summary>Records of who was given up that are not durable yet.</summary>
    public int BansBehind { get; private set; }

    /// <summary>Nothing that was found counts: all is to be found once more.</summary>
    public void Again()
    {
        _hasher.Renew();
        Found.Again();
    }

    /// <summary>Writes down who was given up.</summary>
    /// <param name="stores">All of them.</param>
    /// <returns>Whether it is in the log's hands.</returns>
    public bool WriteBans(byte[] stores)
    {
        Found.Banned = stores;
        BansBehind++;
        return Recorder.OfStore(RecordKind.Banned, stores);
    }

    /// <summary>An epoch is entered, or its data dropped.</summary>
    public void WriteEpoch(Member member, ulong index)
    {
        GroupState state = member.State;
        bool isFetched = false;
        if (state.HasEnd && state.EndedBallot == default)
        {
            // All before it was fetched.
            member.Tail.Reset(index);
            (member.Applied, member.Shown) = (index, index);
            isFetched = true;
        }
        else
        {
            // What was not committed in the epoch that ended never was.
            member.Tail.CutAfter(index);
        }

        Recorder.Requests(member);
        Recorder.Epoch(member);
        if (isFetched && index > 0)
        {
            Recorder.Position(member);
        }
    }

    /// <summary>Writes the entries from an index on.</summary>
    public void WriteEntries(Member member, ulong first, List<Operation> incoming)
    {
        Tail tail = member.Tail;
        tail.CutAfter(first - 1);
        for (ulong index = first; index <= member.State.LastIndex; index++)
        {
            GroupEntry entry = member.State.EntryAt(index);
            Operation? operation = entry.Kind == EntryKind.Operation ? incoming[(int)entry.Data] : null;
            var added = new TailEntry(index, entry, operation);
            tail.Add(added);
            if (operation?.Pieces is { } list)
            {
                // Until it is durable, and its place names them.
                Pieces.Begin(list.Id);
            }

            Recorder.Entry(member, added);
        }
    }

    /// <summary>Shows what is applied and durable here, in the order of the log.</summary>
    public void Show(Member member)
    {
        Tail tail = member.Tail;
        while (member.Shown < member.Applied && tail.Has(member.Shown + 1) && IsSafe(tail[member.Shown + 1]))
        {
            TailEntry entry = tail[++member.Shown];
            member.Runs.Add(entry.Index, entry.Entry.Ballot);
            if (Recorder.Mistake == PlantedMistake.TearsBatches)
            {
                Tear(member, entry);
                continue;
            }

            Show(member, entry);
        }
    }

    private void Show(Member member, TailEntry entry)
    {
        Keep(member.Id, entry);
        Remember(member, entry);
        _duty.Shown(member, entry);
    }

    private void Tear(Member member, TailEntry entry)
    {
        if (_torn is { } torn)
        {
            _torn = null;
            Show(torn.Member, torn.Entry);
        }

        if (entry.Records > 1)
        {
            Keeper.PutFirst(member.Id, entry);
            _torn = (member, entry);
        }
        else
        {
            Show(member, entry);
        }
    }

    /// <summary>The group's log begins later than before: so says the disk, once what is behind that has its
    /// place. What is before it is needed until that is durable: a start would look for it.</summary>
    public void Trim(Member member)
    {
        ulong begins = member.State.BaseIndex;
        member.Tail.FirstBehind(begins, out bool isSynced);
        if (begins > member.Positioned && member.Shown >= begins && isSynced)
        {
            member.WantsTrim = false;
            Recorder.Position(member);
            Recorder.Pump();
        }
    }

    /// <summary>Others have it, whole: what is here goes.</summary>
    public void Drop(Member member)
    {
        member.Tail.Reset(0);
        (member.Applied, member.Shown, member.Positioned) = (0, 0, 0);
        member.Runs.Take(new BallotRuns());
        member.Requests.Clear();
        Keeper.Remove(member);
    }

    /// <summary>A majority of it is gone: nothing of it counts any more.</summary>
    public void Forget(Member member)
    {
        member.Forget();
        Keeper.Remove(member);
        for (int kind = 0; kind < member.Places.Length; kind++)
        {
            Keeper.Located(member, (RecordKind)kind, default);
        }
    }

    /// <summary>Writes a change that was sent with a state.</summary>
    public void Settled(Member member, in LogRecord head, Operation operation)
    {
        if (operation.Pieces is { } list)
        {
            Pieces.Begin(list.Id);
        }

        member.Settling++;
        Recorder.Settled(member, head, operation);
        Recorder.Pump();
    }

    private void Settle(Member member, LogRecord head, Operation operation, LogLocation location)
    {
        member.Settling--;
        Keep(member.Id, TailEntry.Of(head, operation, location));
        EndPieces(operation);
    }

    private void EndPieces(Operation? operation)
    {
        if (operation?.Pieces is { } list)
        {
            Pieces.End(list.Id);
        }
    }

    private void Place(Member member, TailEntry entry, int record)
    {
        if (member.Tail.Has(entry))
        {
            Keeper.Located(entry, record);
            Show(member);
        }

        EndPieces(entry.Operation);
    }

    private void Place(Member? member, RecordKind kind, ulong index, LogLocation location)
    {
        if (kind == RecordKind.Position)
        {
            member!.Tail.TrimTo(index);
        }

        if (kind == RecordKind.Anew)
        {
            BeganAnew();
        }

        BansBehind -= kind == RecordKind.Banned ? 1 : 0;
        Keeper.Located(member, kind, location);
        if (kind == RecordKind.Epoch && member!.Drops.Dequeue())
        {
            member.Void = location;
        }
    }

    private bool Rewrite(Member? member, RecordKind kind)
    {
        if (member is null)
        {
            return kind == RecordKind.Banned
                ? Found.Banned is { } banned && WriteBans(banned)
                : Found.Founders is { } founders && Recorder.OfStore(kind, founders);
        }

        if (kind == RecordKind.Epoch && member.State is { IsDropped: true, Fetching: not null })
        {
            // What is fetched lies behind it, and must not come to lie before it.
            return false;
        }

        if (kind != RecordKind.Position)
        {
            return Recorder.Rewrite(member, kind);
        }

        // It goes on from where its log begins now; what is behind that must have its place.
        member.Tail.FirstBehind(member.State.BaseIndex, out bool isSynced);
        if (!isSynced || member.Shown < member.State.BaseIndex)
        {
            return false;
        }

        Recorder.Position(member);
        return Recorder.Rewrite(member, kind);
    }

    private bool IsSafe(TailEntry entry) => entry.IsSynced || Recorder.Mistake == PlantedMistake.SaysUnsynced;

    private void Keep(GroupId id, TailEntry entry)
    {
        if (entry.Operation is not null)
        {
            Keeper.Put(id, entry);
        }
    }

    private void Remember(Member member, TailEntry entry)
    {
        bool isForgotten = Recorder.Mistake == PlantedMistake.ForgetsRequests && !member.Leads;
        if (entry.Operation is { } operation && !isForgotten)
        {
            member.Requests.Add(operation.Request, operation.Closed, operation.OutcomeOf(entry.Version));
        }
    }
}
