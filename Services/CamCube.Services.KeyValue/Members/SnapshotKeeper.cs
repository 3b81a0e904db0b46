using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// Writes snapshots: once in a while, in slices, and at a stop in order, as fast as the disk takes it. What is written
/// belongs to one moment only as far as it must: a group is copied at once, each at a time of its own behind the mark;
/// what lies behind the mark is found again at the start, and changes nothing then. Loop only.
/// </summary>
/// <param name="server">The server.</param>
/// <param name="stores">Its stores: what is written is that on the disk.</param>
/// <param name="members">This server's parts in groups.</param>
/// <param name="after">Records after which one is written.</param>
internal sealed class SnapshotKeeper(IServer server, MemberStores stores, IReadOnlyList<Member> members, int after)
{
    private const int StopShare = 16;
    private const int FreeShare = 4;
    private const long BytesPerSecond = 32 << 20;
    private static readonly TimeSpan Idle = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Wait = TimeSpan.FromMilliseconds(1);
    private readonly MemberLog _log = stores.Disk.Records;
    private StoreLog? _store;
    private long _marked;
    private Task? _task;
    private bool _isHurried;

    /// <summary>Snapshots that were written.</summary>
    public long Written { get; private set; }

    private IEnumerable<Member> OnDisk => members.Where(static m => !m.Store.IsInMemory);

    // Records that a start would find behind the last one.
    private long Since => (_store?.Written ?? 0) - _marked;

    /// <summary>Begins.</summary>
    /// <param name="store">The _log.</param>
    /// <param name="found">Records that were found behind the last one.</param>
    public void Open(StoreLog store, long found)
    {
        (_store, _marked) = (store, -found);
        server.Loop.Run(Run);
    }

    /// <summary>The server stops: the next start shall have little to read.</summary>
    public async ValueTask Stop()
    {
        _isHurried = true;
        if (_task is { } task)
        {
            await task.ConfigureAwait(true);
        }

        if (_store is { HasEnded: false } && Since >= Math.Max(1, after / StopShare))
        {
            await Write().ConfigureAwait(true);
        }
    }

    private async ValueTask Run()
    {
        while (_store is { HasEnded: false } && !_isHurried && await server.DelayAsync(Idle).ConfigureAwait(true))
        {
            if (!_isHurried && Since >= Math.Max(after, _log.Keeper.Keys / 2))
            {
                _task = Write().AsTask();
                await _task.ConfigureAwait(true);
                _task = null;
            }
        }
    }

    private async ValueTask Write()
    {
        StoreLog store = _store!;
        long likely = ((long)KeySlots.Size + sizeof(uint)) * _log.Keeper.Keys;
        if (store.Free / FreeShare < likely || store.IsFull)
        {
            return;
        }

        uint number = ++store.Snapshots;
        string name = SnapshotFormat.NameOf(number);
        DiskResult<IDiskFile> opened = await server.Disk.OpenAsync(name, create: true).ConfigureAwait(true);
        if (opened.Value is not { } file)
        {
            return;
        }

        var writer = new SnapshotWriter(server, file, store.Identity, number);
        DiskStatus status = await Write(writer).ConfigureAwait(true);
        await writer.Close().ConfigureAwait(true);
        status = status == DiskStatus.Done ? await End(file, number, writer.Length).ConfigureAwait(true) : status;
        file.Close();
        if (status == DiskStatus.Done)
        {
            Written++;
            await DeleteBut(number).ConfigureAwait(true);
        }
        else if (status != DiskStatus.Stopped)
        {
            await server.Disk.DeleteAsync(name).ConfigureAwait(true);
        }
    }

    private async ValueTask<DiskStatus> Write(SnapshotWriter writer)
    {
        StoreLog store = _store!;
        long until = 0;
        while (!IsUncut(ref until))
        {
            if (store.HasEnded || !await server.DelayAsync(Wait).ConfigureAwait(true))
            {
                return DiskStatus.Stopped;
            }
        }

        LogMark mark = store.Mark;
        if (mark.Last == 0)
        {
            return DiskStatus.NotFound;
        }

        _marked = store.Written;
        LogLocation[] places = Places();
        MarkedSegment[] segments =
        [
            .. store.Segments.All.Where(s => s.Number <= mark.Segment).Select(s => MarkedSegment.Of(s, mark)),
        ];
        mark.Write(writer);
        writer.Add((uint)segments.Length);
        foreach (MarkedSegment segment in segments)
        {
            segment.Write(writer);
            if (await Pause(writer).ConfigureAwait(true) is var wrong and not DiskStatus.Done)
            {
                return wrong;
            }
        }

        writer.Add((uint)places.Length);
        foreach (LogLocation place in places)
        {
            writer.Add(place);
        }

        _log.Snapshot.Begin(writer);
        foreach (uint group in _log.Snapshot.Groups.Where(group => !stores.IsInMemory(new GroupId(group).Table)))
        {
            _log.Snapshot.Add(writer, group);
            if (await Pause(writer).ConfigureAwait(true) is var wrong and not DiskStatus.Done)
            {
                return wrong;
            }
        }

        StoreSnapshot.End(writer);
        return await writer.End().ConfigureAwait(true);
    }

    // All is there: from now on it counts.
    private async ValueTask<DiskStatus> End(IDiskFile file, uint number, long length)
    {
        // What was dropped is missing in it, and must be so in the log, too.
        long until = _log.Recorder.Taken;
        while (_log.Recorder.Durable < until)
        {
            if (_store!.HasEnded || !await server.DelayAsync(Wait).ConfigureAwait(true))
            {
                return DiskStatus.Stopped;
            }
        }

        // At a stop nobody waits for the disk: what does not come to it is missed by its sum.
        bool isSynced = !_isHurried;
        DiskStatus status = isSynced ? await file.SyncAsync().ConfigureAwait(true) : DiskStatus.Done;
        if (status != DiskStatus.Done)
        {
            return status;
        }

        byte[] sector = new byte[Sectors.Size];
        SnapshotFormat.Write(sector, _store!.Identity, _store.Store.Incarnation, number, length);
        status = await file.WriteAsync(0, sector, isSynced).ConfigureAwait(true);
        return status == DiskStatus.Done && isSynced ? await server.Disk.SyncAsync().ConfigureAwait(true) : status;
    }

    // One that is not synced does not replace another.
    private async ValueTask DeleteBut(uint number)
    {
        if (_isHurried || (await server.Disk.ListAsync().ConfigureAwait(true)).Value is not { } entries)
        {
            return;
        }

        foreach (DiskEntry entry in entries)
        {
            if (SnapshotFormat.TryNumber(entry.Name, out uint other) && other < number)
            {
                await server.Disk.DeleteAsync(entry.Name).ConfigureAwait(true);
            }
        }
    }

    private async ValueTask<DiskStatus> Pause(SnapshotWriter writer)
    {
        double seconds = writer.Added / (double)BytesPerSecond;
        DiskStatus status = await writer.Flush().ConfigureAwait(true);
        bool goesOn = _isHurried || await server.DelayAsync(TimeSpan.FromSeconds(seconds)).ConfigureAwait(true);
        return !goesOn || _store!.HasEnded ? DiskStatus.Stopped : status;
    }

    // What entries that were removed were promised by lies in the log until what replaces them is durable: only then a
    // start can do without them.
    private bool IsUncut(ref long until)
    {
        bool isCut = false;
        foreach (Member member in OnDisk)
        {
            isCut |= member.Tail.IsCut;
            member.Tail.IsCut = false;
        }

        until = isCut ? _log.Recorder.Taken : until;
        return _log.Recorder.Durable >= until;
    }

    // Records that a start needs from before the mark, and that no key leads to, in their order.
    private LogLocation[] Places()
    {
        List<LogLocation> places = [];
        _log.Keeper.AddPlaces(places);
        foreach (Member member in OnDisk)
        {
            places.AddRange(member.Places);
            for (ulong index = member.Tail.Base + 1; index <= member.Tail.Last; index++)
            {
                TailEntry entry = member.Tail[index];
                for (int record = 0; record < entry.Records; record++)
                {
                    places.Add(entry.PlaceOf(record));
                }
            }
        }

        return
        [
            .. places
                .Where(static p => p.Length > 0)
                .Distinct()
                .OrderBy(static p => p.Segment)
                .ThenBy(static p => p.Offset),
        ];
    }
}
