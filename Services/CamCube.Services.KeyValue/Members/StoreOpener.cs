using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Opens the store on a server's disk, and takes up what is in it. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="options">Settings: which tables there are.</param>
/// <param name="stores">Its stores.</param>
/// <param name="members">Groups that this server has a part in.</param>
/// <param name="bans">Stores that were given up.</param>
/// <param name="counters">What is counted.</param>
internal sealed class StoreOpener(
    IServer server,
    KeyValueOptions options,
    MemberStores stores,
    MemberDirectory members,
    Bans bans,
    KeyValueCounters counters
)
{
    private readonly MemberStore _store = stores.Disk;
    private readonly MemberLog _records = stores.Disk.Records;

    /// <summary>A mistake for tests: a disk in the place of another has its id.</summary>
    public bool KeepsId { get; init; }

    /// <summary>Why tables on the disk have no part here, if only they have none; empty otherwise.</summary>
    public string DiskFailure { get; private set; } = "";

    /// <summary>The disk has no room for what is written before a store begins. Nothing was taken up: it can be opened
    /// once more.</summary>
    public bool IsFull { get; private set; }

    /// <summary>Records that were found one by one, behind a snapshot if there is one.</summary>
    public long Records { get; private set; }

    /// <summary>Opens it.</summary>
    /// <param name="log">How its log is kept.</param>
    /// <returns>Why this server keeps no part of any table, in words; empty: it does.</returns>
    public async ValueTask<string> OpenDiskAsync(LogOptions log)
    {
        LogOpening opening = await LogOpener.OpenAsync(server, log, _store);
        List<Member> found = TakeFound(opening);
        if (opening.Log is { } hinted && !await new TailValues(hinted).FillAsync(found))
        {
            // What a hint stood for cannot be read: the segments say what that is.
            hinted.Close();
            _records.Again();
            log.UsesHints = false;
            opening = await LogOpener.OpenAsync(server, log, _store);
            found = TakeFound(opening);
            log.UsesHints = true;
        }

        if (opening.Log is not null)
        {
            return TakeUp(opening, opening.Log, found);
        }

        if (opening.State == LogState.Unreadable && opening.Disk == DiskStatus.Failed)
        {
            // It may have been for this time only.
            throw new StoreFailureException(opening.Words);
        }

        IsFull = opening.Disk == DiskStatus.Full;
        if (IsFull && !opening.IsUntouched)
        {
            // How keys are hashed changes with it, so tables in memory cannot begin before.
            _records.Again();
            return opening.Words;
        }

        if (stores.Memory is null || !(IsFull || opening.Disk == DiskStatus.NoDisk))
        {
            return opening.Words;
        }

        // Tables in memory need none.
        DiskFailure = stores.HasDiskTables ? opening.Words : "";
        return "";
    }

    private string TakeUp(LogOpening opening, StoreLog log, List<Member> found)
    {
        _store.Log = log;
        log.Wrote = counters.Synced;
        counters.Hints.Add(opening.Hints);
        counters.IgnoredHints.Add(opening.IgnoredHints);
        counters.IgnoredSnapshots.Add(opening.IgnoredSnapshots);
        (_store.HasSnapshot, Records) = (opening.HasSnapshot, opening.Records);
        _records.Recorder.Bind(log);
        _records.BeganAnew = log.BeganAnew;
        if (opening.State == LogState.Damaged)
        {
            // Something that was promised may be gone. It goes on as a new store, which gets all from the others.
            _records.Recorder.Anew();
            _records.Recorder.Pump();
        }

        if (_records.Found.IsBroken)
        {
            return "the records of its log do not fit together";
        }

        foreach (Member member in found)
        {
            if (member.State.Epoch is null)
            {
                // A state of which not all came.
                _records.Keeper.Remove(member);
            }

            members.Take(member);
        }

        _records.Keeper.Located(null, RecordKind.Founding, _records.Found.FoundersPlace);
        _records.Keeper.Located(null, RecordKind.Anew, _records.Found.AnewPlace);
        _records.Keeper.Located(null, RecordKind.Banned, _records.Found.BannedPlace);
        bans.Open(_records.Found);
        _records.Found.Clear();
        if (bans.Has(_store.Id))
        {
            return Bans.Words;
        }

        if (TableCheck.Look(options, members.All) is { } misfit)
        {
            return misfit;
        }

        _store.IsOpen = true;
        _records.Pieces.Pieces.DropUnnamed();
        _records.Keeper.OldestSegment = () => log.Segments.Oldest;
        return "";
    }

    // What was found of groups, if it counts.
    private List<Member> TakeFound(LogOpening opening)
    {
        _store.Id = new StoreId(opening.Store.Server, KeepsId ? 1 : opening.Store.Incarnation);
        if (opening.State == LogState.Damaged)
        {
            _records.Found.BeginAnew();
        }

        _records.Keeper.TakeFound();
        bool isFounding = _records.Found.Founders is not null;
        return [.. _records.Found.Groups.Select(g => g.End(_store, isFounding, members.PlanOf(g.Id)))];
    }
}
