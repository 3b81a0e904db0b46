using System.Runtime.CompilerServices;

namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// The log that is the store: all records of all groups of a server, in segments on its disk. Appending gathers; one
/// write and one sync bring all that was appended in a step to the disk, and while they are under way the next batch
/// gathers. A file whose sync has failed takes nothing more: what is not synced goes into a new one, and if that fails
/// too the log ends. Segments are written once, over nothing or zeros, so that at the next start what was never written
/// can be told from what was damaged. Loop only.
/// </summary>
internal sealed class StoreLog
{
    // A larger batch is worth a change of the file system's own, and zeros for it would be many.
    private const int MostOverZeros = 64 << 10;
    private static readonly byte[] Zeros = new byte[LogOptions.MostAheadBytes];
    private static readonly TimeSpan BusyPause = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan FullPause = TimeSpan.FromMilliseconds(100);
    private readonly IServer _server;
    private readonly LogOptions _options;
    private readonly ILogOwner _owner;
    private readonly StoreFile _store;
    private readonly LogRoom _room;
    private readonly LogMemory _memory;
    private readonly LogSegments _segments;
    private readonly Action<object?> _begin;
    private readonly ReadOnlyMemory<byte>[] _pieces = new ReadOnlyMemory<byte>[2];
    private LogBuffer _gathering;
    private LogBuffer _writing;
    private byte[] _batch = [];
    private ILogIndex? _index;
    private LogScrubber? _scrubber;
    private LogCompactor? _compactor;
    private uint _segment;
    private ulong _last;
    private ulong _synced;
    private LogMark _written;
    private LogTendingCounts _counts;

    /// <summary>Goes on behind what a scan has found.</summary>
    public StoreLog(IServer server, LogOptions options, ILogOwner owner, LogScan scan, LogMemory memory)
    {
        (_server, _options, _owner, _store, _room) = (server, options, owner, scan.Store, scan.Room);
        _memory = memory;
        _segments = new LogSegments(server, scan.Store, scan.Segments);
        (_segment, _last) = (scan.LastSegment, scan.Last);
        Mark = scan.EndMark.Last == scan.Last ? scan.EndMark : default;
        (_gathering, _writing) = (
            new LogBuffer(options.BufferBytes, memory),
            new LogBuffer(options.BufferBytes, memory)
        );
        memory.SetFilters(_segments.FilterBytes);
        Func<ValueTask> write = Write;
        _begin = _ => _server.Loop.Run(write);
    }

    /// <summary>Whose it is: made with it, and kept for good.</summary>
    public LogIdentity Identity => _store.Log;

    /// <summary>The id of the store now (<see cref="LogOpening.Store"/>).</summary>
    public LogIdentity Store => _store.Id;

    /// <summary>The disk has so little room that puts are refused. Looked at again with the next append.</summary>
    public bool IsFull => !_room.Has(LogUse.Put);

    /// <summary>The disk has failed, or the service stops: nothing is taken any more.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Records were appended that are not synced yet.</summary>
    public bool IsBehind { get; private set; }

    /// <summary>The highest number of a snapshot that there was.</summary>
    public uint Snapshots { get; set; }

    /// <summary>How far the owner was told of all that was appended; default: nothing was.</summary>
    public LogMark Mark { get; private set; }

    /// <summary>Records that were written in this run, copies too.</summary>
    public long Written { get; private set; }

    /// <summary>Bytes of room on the disk, as of the last look.</summary>
    public long Free => _room.Free;

    /// <summary>The last ticket that was given.</summary>
    public ulong Tickets { get; private set; }

    /// <summary>The segments.</summary>
    public LogSegments Segments => _segments;

    /// <summary>Copies were made that are not synced yet.</summary>
    public bool IsCopying => _gathering.Copies + _writing.Copies > 0;

    /// <summary>What was done beside appending and reading.</summary>
    public ref LogTendingCounts Counts => ref _counts;

    /// <summary>Whether the record with this ticket is synced, and all before it.</summary>
    public bool IsSynced(ulong ticket) => ticket <= _synced;

    /// <summary>What it has claimed of the server's memory.</summary>
    public LogMemory Memory => _memory;

    /// <summary>Is told of each batch that was written and synced: records, bytes, nanoseconds that it took.</summary>
    public Action<int, int, long>? Wrote { get; set; }

    /// <summary>How far the scrubber is.</summary>
    public LogScrubProgress Scrubbing => _scrubber?.Progress ?? default;

    /// <summary>Begins to compact, to scrub and to write hints, for good. Once, after all records were found.</summary>
    /// <param name="index">Who knows which records are needed.</param>
    public void Tend(ILogIndex index)
    {
        _index = index;
        _compactor = new LogCompactor(_server, this, index, _options);
        _server.Loop.Run(_compactor.Run);
        if (_options.Disk is null)
        {
            _scrubber = new LogScrubber(_server, this, _options);
            _server.Loop.Run(_scrubber.Run);
        }

        if (_options.UsesHints)
        {
            _server.Loop.Run(new LogHints(_server, this, index, _options).Run);
        }
    }

    /// <summary>Whether a segment other than this one, or what waits for the disk, may have records of a key.</summary>
    public bool MayHold(ulong key, LogSegment except) =>
        _gathering.Keys.MayHave(key) || _writing.Keys.MayHave(key) || _segments.MayHold(key, except);

    /// <summary>Bytes of a segment are not as they were written: the owner is told, once.</summary>
    public void TellRot(LogSegment segment, long from, long to)
    {
        if (segment.NoteRot(from, to))
        {
            _counts.Rotten++;
            _index?.Rotten(segment.Number, from, to);
        }
    }

    /// <summary>The same of what a cursor found, but for the records of its batch that can be told apart.</summary>
    public void TellRest(LogSegment segment, SegmentCursor cursor)
    {
        if (cursor.Place == SegmentPlace.Batch)
        {
            return;
        }

        segment.IsDamaged = true;
        long from = cursor.HasHead ? cursor.BrokenAt : cursor.At;
        if (from >= 0)
        {
            TellRot(segment, from, cursor.End);
        }
    }

    /// <summary>Something was deleted: there is room on the disk, and in memory.</summary>
    public void RoomWasMade()
    {
        _memory.SetFilters(_segments.FilterBytes);
        _server.Loop.Run(_room.Look);
    }

    /// <summary>Appends a record that the disk has to have room for (<see cref="LogUse.Needed"/>).</summary>
    /// <returns>Whether it was taken; <see cref="Append"/> says why not.</returns>
    public bool TryAppend(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        out ulong ticket
    ) => Append(record, key, extra, value, LogUse.Needed, out ticket) == LogAnswer.Taken;

    /// <summary>Appends a record. It is synced when the owner is told so, with its ticket.</summary>
    /// <param name="record">The head.</param>
    /// <param name="key">At most 65,535 bytes; copied, as the others are.</param>
    /// <param name="extra">What belongs to the record beside key and value.</param>
    /// <param name="value">The value.</param>
    /// <param name="use">How much room must be left on the disk.</param>
    /// <param name="ticket">Its number in this run, from 1; 0 unless it was taken.</param>
    public LogAnswer Append(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogUse use,
        out ulong ticket
    )
    {
        ticket = 0;
        LogAnswer answer =
            HasEnded ? LogAnswer.Ended
            : !_room.Has(use) ? LogAnswer.Full
            : use == LogUse.Put && _memory.IsShort ? LogAnswer.Busy
            : _gathering.Add(record, key, extra, value);
        if (answer != LogAnswer.Taken)
        {
            return answer;
        }

        ticket = ++Tickets;
        if (_gathering.Count - _gathering.Copies == 1)
        {
            _gathering.First = ticket;
        }

        BeginWriting();
        return answer;
    }

    /// <summary>Copies a record to the head. The index is told once the copy is synced.</summary>
    /// <returns>False: there is no room for copies now, or the log has ended.</returns>
    public bool TryCopy(ReadOnlySpan<byte> record, LogLocation from)
    {
        if (HasEnded || !_gathering.TryCopy(record, from, _index?.CopyFlags ?? 0))
        {
            return false;
        }

        BeginWriting();
        return true;
    }

    /// <summary>Reads a record.</summary>
    /// <param name="location">Where it lies, as the owner was told.</param>
    /// <param name="into">At least the location's length; the disk's until the task has ended.</param>
    /// <param name="isPiece">Whether the sum of its value is wanted, too.</param>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<LogRead> ReadAsync(LogLocation location, Memory<byte> into, bool isPiece = false)
    {
        if (_segments.Find(location.Segment) is not { } segment)
        {
            return new LogRead { Status = DiskStatus.NotFound };
        }

        Memory<byte> bytes = into[..location.Length];
        DiskResult<int> read = await segment.File.ReadAsync(location.Offset, bytes).ConfigureAwait(true);
        if (!read.IsDone)
        {
            return new LogRead { Status = read.Status };
        }

        uint sum = 0,
            seed = Sectors.Seed(_store.Log, location.Segment, location.Offset);
        if (
            read.Value < bytes.Length
            || RecordFormat.LengthOf(bytes.Span) != bytes.Length
            || !(isPiece ? RecordFormat.IsRight(bytes.Span, seed, out sum) : RecordFormat.IsRight(bytes.Span, seed))
        )
        {
            // It is repaired by its owner, and then compaction takes the rest.
            _counts.Rotten += segment.IsDamaged ? 0 : 1;
            segment.IsDamaged = true;
            return new LogRead { Status = DiskStatus.Done, IsRotten = true };
        }

        LogRecord record = RecordFormat.Read(bytes.Span, out Range key, out Range extra, out Range value);
        return new LogRead(DiskStatus.Done, false, record, bytes[key], bytes[extra], bytes[value]) { ValueSum = sum };
    }

    /// <summary>The owner's note that it has begun anew is synced: what is found from now on is of this
    /// store.</summary>
    public void BeganAnew()
    {
        if (_store.Notes.IsPending)
        {
            // If it fails, the next start begins anew once more.
            _server.Loop.Run(async () => await _store.Change(static n => n with { IsPending = false }));
        }
    }

    /// <summary>Ends one of which nothing was asked but to read: its files are closed, and its memory is given
    /// back.</summary>
    public void Close()
    {
        HasEnded = true;
        foreach (LogSegment segment in _segments.All)
        {
            segment.File.Close();
        }

        _memory.End();
    }

    private void BeginWriting()
    {
        if (!IsBehind)
        {
            // After the callback at hand, so that all that it appends is one batch.
            IsBehind = true;
            _server.Loop.Post(_begin, null);
        }
    }

    // One batch after the other until nothing has gathered.
    [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
    private async ValueTask Write()
    {
        while (_gathering.Count > 0 && !HasEnded)
        {
            (_gathering, _writing) = (_writing, _gathering);
            DiskStatus status = await WriteBatch().ConfigureAwait(true);
            if (status == DiskStatus.Done)
            {
                _last++;
                _synced += (ulong)_writing.Locations.Length;
                Mark = _written;
                Written += _writing.Count;
                if (_writing.Locations.Length > 0)
                {
                    _owner.Synced(_writing.First, _writing.Locations);
                }

                _writing.TellMoves(_index!);
                _compactor?.Wrote(_writing.Body);
            }
            else
            {
                HasEnded = true;
                _owner.Failed(status);
            }

            _writing.Clear();
        }

        IsBehind = false;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<DiskStatus> WriteBatch()
    {
        int length = _writing.BatchBytes;
        if (_batch.Length < length)
        {
            // Claimed when the buffer grew.
            _batch = new byte[_memory.BatchBytes];
        }

        int failures = 0;
        while (true)
        {
            DiskStatus status = DiskStatus.Done;
            if (_segments.Head is not { } last || last.End + length > _options.SegmentBytes)
            {
                status = await BeginSegment().ConfigureAwait(true);
            }

            if (status == DiskStatus.Done)
            {
                LogSegment head = _segments.Head!;
                Memory<byte> batch = _batch.AsMemory(0, length);
                long before = head.Keys.Bytes;
                _writing.AddKeysTo(head.Keys);
                if (head.Keys.Bytes > before)
                {
                    _memory.SetFilters(_segments.FilterBytes);
                }

                _writing.Seal(batch.Span, _last + 1, _store.Log, head.Number, head.End);
                long began = _server.NowNanos;
                status = await Write(head, batch).ConfigureAwait(true);
                if (status == DiskStatus.Done)
                {
                    Wrote?.Invoke(_writing.Count, length, _server.NowNanos - began);
                    uint sum = LogMark.SumOf(batch.Span);
                    _written = new LogMark(head.Number, head.End + length, _last + 1, head.End, sum);
                    head.Note(_last + 1);
                    _segments.Grow(head, length);
                    _room.Take(length);
                    return status;
                }
            }

            if (status is DiskStatus.Busy or DiskStatus.Full)
            {
                // No failures: nothing was made, or there is no room for it. Who appends is told so, and this waits.
                if (!await Wait(status, length).ConfigureAwait(true))
                {
                    return DiskStatus.Stopped;
                }

                continue;
            }

            // A sync that failed and then succeeds may have lost pages: nothing more goes into this file.
            _segments.Head = null;
            if (status == DiskStatus.Stopped || ++failures == 2)
            {
                return status;
            }
        }
    }

    // With zeros behind it, for the next ones, unless there are some, or the disk has little room. They stand in no sum
    // and no number, and are as good as the end of the file: if they are lost nothing is.
    private ValueTask<DiskStatus> Write(LogSegment head, ReadOnlyMemory<byte> batch)
    {
        long end = head.End + batch.Length;
        int ahead = (int)Math.Min(_options.AheadBytes, _options.SegmentBytes - end);
        if (ahead == 0 || end <= head.File.Length || batch.Length > MostOverZeros || IsFull)
        {
            return head.File.WriteAsync(head.End, batch, sync: true);
        }

        (_pieces[0], _pieces[1]) = (batch, Zeros.AsMemory(0, ahead));
        return head.File.GatherAsync(head.End, _pieces, sync: true);
    }

    // False: the service stops.
    private async ValueTask<bool> Wait(DiskStatus status, int length)
    {
        if (status == DiskStatus.Busy)
        {
            return await _server.DelayAsync(BusyPause).ConfigureAwait(true);
        }

        if (_segments.Head is { } head)
        {
            // What was written in part takes room. The rest goes into another file all the same: nobody knows whether
            // it was the write or the sync that found none.
            _segments.Head = null;
            await head.File.SetLengthAsync(head.End).ConfigureAwait(true);
        }

        do
        {
            if (!await _server.DelayAsync(FullPause).ConfigureAwait(true))
            {
                return false;
            }

            await _room.Look().ConfigureAwait(true);
        } while (_room.Free < length + Sectors.Size);
        return true;
    }

    // The zeros behind its end go. If that fails it has them until a start cuts them off, and no hint until then.
    private static async ValueTask CutAhead(LogSegment segment)
    {
        if (
            segment.File.Length > segment.End
            && await segment.File.SetLengthAsync(segment.End).ConfigureAwait(true) == DiskStatus.Done
        )
        {
            await segment.File.SyncAsync().ConfigureAwait(true);
        }
    }

    private async ValueTask<DiskStatus> BeginSegment()
    {
        // Numbers are never used again, also after a failure in the middle of this.
        uint segment = ++_segment;
        if (_segments.Head is { } full)
        {
            _segments.Head = null;
            await CutAhead(full).ConfigureAwait(true);
        }

        string name = SegmentFormat.NameOf(segment);
        DiskResult<IDiskFile> opened = await _store.Disk.OpenAsync(name, create: true).ConfigureAwait(true);
        if (opened.Value is not { } file)
        {
            return opened.Status;
        }

        byte[] sector = new byte[Sectors.Size];
        SegmentFormat.Write(sector, SegmentFormat.SegmentMagic, _store.Log, segment);
        DiskStatus status = await file.WriteAsync(0, sector, sync: true).ConfigureAwait(true);
        status = status == DiskStatus.Done ? await _store.Disk.SyncAsync().ConfigureAwait(true) : status;
        if (status == DiskStatus.Done)
        {
            // Before anything in it is told to be synced, so that a segment that is lost is missed. Without this
            // only a loss is not seen: its failure ends nothing.
            await _store.Change(notes => notes with { Begun = segment }).ConfigureAwait(true);
            _segments.Head = new LogSegment(segment, file);
            _segments.Add(_segments.Head);
            _room.Take(Sectors.Size);
            return status;
        }

        file.Close();
        if (status == DiskStatus.Full)
        {
            // Else each attempt leaves a name. What this answers changes nothing.
            await _store.Disk.DeleteAsync(name).ConfigureAwait(true);
        }

        return status;
    }
}
