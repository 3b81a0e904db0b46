namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// The log that is the store: all records of all groups of a server, in segments on its disk. Appending gathers; one
/// write and one sync bring all that was appended in a step to the disk, and while they are under way the next batch
/// gathers. A file whose sync has failed takes nothing more: what is not synced goes into a new one, and if that fails
/// too the log ends. Segments are written once, over nothing, so that at the next start what was never written can be
/// told from what was damaged. Loop only.
/// </summary>
internal sealed class StoreLog
{
    private static readonly TimeSpan BusyPause = TimeSpan.FromMilliseconds(5);
    private readonly IServer _server;
    private readonly LogOptions _options;
    private readonly ILogOwner _owner;
    private readonly LogIdentity _log;
    private readonly Dictionary<uint, IDiskFile> _files;
    private readonly Action<object?> _begin;
    private LogBuffer _gathering;
    private LogBuffer _writing;
    private byte[] _batch = [];
    private IDiskFile? _file;
    private uint _segment;
    private long _offset;
    private ulong _last;
    private ulong _tickets;

    /// <summary>Goes on behind what a scan has found.</summary>
    public StoreLog(IServer server, LogOptions options, ILogOwner owner, LogScan scan)
    {
        (_server, _options, _owner, _log, _files) = (server, options, owner, scan.Log, scan.Files);
        (_segment, _last) = (scan.LastSegment, scan.Last);
        (_gathering, _writing) = (new LogBuffer(options.BufferBytes), new LogBuffer(options.BufferBytes));
        _begin = _ => _server.Loop.Run(Write);
    }

    /// <summary>Whose it is: made with it, and kept for good.</summary>
    public LogIdentity Identity => _log;

    /// <summary>The disk has failed, or the service stops: nothing is taken any more.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Records were appended that are not synced yet.</summary>
    public bool IsBehind { get; private set; }

    /// <summary>Appends a record. It is synced when the owner is told so, with its ticket.</summary>
    /// <param name="record">The head.</param>
    /// <param name="key">At most 65,535 bytes; copied, as the others are.</param>
    /// <param name="extra">What belongs to the record beside key and value.</param>
    /// <param name="value">The value.</param>
    /// <param name="ticket">Its number in this run, from 1.</param>
    /// <returns>False: there is no room now (back-pressure: room comes when the owner is told that something was
    /// synced), it is larger than the buffer, or the log has ended.</returns>
    public bool TryAppend(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        out ulong ticket
    )
    {
        ticket = 0;
        if (HasEnded || !_gathering.TryAdd(record, key, extra, value))
        {
            return false;
        }

        ticket = ++_tickets;
        if (_gathering.Count == 1)
        {
            _gathering.First = ticket;
        }

        if (!IsBehind)
        {
            // After the callback at hand, so that all that it appends is one batch.
            IsBehind = true;
            _server.Loop.Post(_begin, null);
        }

        return true;
    }

    /// <summary>Reads a record.</summary>
    /// <param name="location">Where it lies, as the owner was told.</param>
    /// <param name="into">At least the location's length; the disk's until the task has ended.</param>
    public async ValueTask<LogRead> ReadAsync(LogLocation location, Memory<byte> into)
    {
        if (!_files.TryGetValue(location.Segment, out IDiskFile? file))
        {
            return new LogRead { Status = DiskStatus.NotFound };
        }

        Memory<byte> bytes = into[..location.Length];
        DiskResult<int> read = await file.ReadAsync(location.Offset, bytes).ConfigureAwait(true);
        if (!read.IsDone)
        {
            return new LogRead { Status = read.Status };
        }

        if (
            read.Value < bytes.Length
            || RecordFormat.LengthOf(bytes.Span) != bytes.Length
            || !RecordFormat.IsRight(bytes.Span, Sectors.Seed(_log, location.Segment, location.Offset))
        )
        {
            return new LogRead { Status = DiskStatus.Done, IsRotten = true };
        }

        LogRecord record = RecordFormat.Read(bytes.Span, out Range key, out Range extra, out Range value);
        return new LogRead(DiskStatus.Done, false, record, bytes[key], bytes[extra], bytes[value]);
    }

    // One batch after the other until nothing has gathered.
    private async ValueTask Write()
    {
        while (_gathering.Count > 0 && !HasEnded)
        {
            (_gathering, _writing) = (_writing, _gathering);
            DiskStatus status = await WriteBatch().ConfigureAwait(true);
            if (status == DiskStatus.Done)
            {
                _last++;
                _owner.Synced(_writing.First, _writing.Locations);
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

    private async ValueTask<DiskStatus> WriteBatch()
    {
        int length = _writing.BatchBytes;
        if (_batch.Length < length)
        {
            _batch = new byte[Math.Max(length, Math.Min(2 * _batch.Length, BatchHead.MostSectors * Sectors.Size))];
        }

        int failures = 0;
        while (true)
        {
            DiskStatus status = DiskStatus.Done;
            if (_file is null || _offset + length > _options.SegmentBytes)
            {
                status = await BeginSegment().ConfigureAwait(true);
            }

            if (status == DiskStatus.Done)
            {
                Memory<byte> batch = _batch.AsMemory(0, length);
                _writing.Seal(batch.Span, _last + 1, _log, _segment, _offset);
                status = await _file!.WriteAsync(_offset, batch, sync: true).ConfigureAwait(true);
            }

            if (status == DiskStatus.Done)
            {
                _offset += length;
                return status;
            }

            if (status == DiskStatus.Busy && await _server.DelayAsync(BusyPause).ConfigureAwait(true))
            {
                // Nothing was made.
                continue;
            }

            // A sync that failed and then succeeds may have lost pages: nothing more goes into this file.
            _file = null;
            if (status is DiskStatus.Stopped or DiskStatus.Busy || ++failures == 2)
            {
                return status;
            }
        }
    }

    private async ValueTask<DiskStatus> BeginSegment()
    {
        // Numbers are never used again, also after a failure in the middle of this.
        uint segment = ++_segment;
        _file = null;
        DiskResult<IDiskFile> opened = await _server
            .Disk.OpenAsync(SegmentFormat.NameOf(segment), create: true)
            .ConfigureAwait(true);
        if (opened.Value is not { } file)
        {
            return opened.Status;
        }

        byte[] sector = new byte[Sectors.Size];
        SegmentFormat.Write(sector, SegmentFormat.SegmentMagic, _log, segment);
        DiskStatus status = await file.WriteAsync(0, sector, sync: true).ConfigureAwait(true);
        status = status == DiskStatus.Done ? await _server.Disk.SyncAsync().ConfigureAwait(true) : status;
        if (status == DiskStatus.Done)
        {
            (_file, _files[segment], _offset) = (file, file, Sectors.Size);
        }
        else
        {
            file.Close();
        }

        return status;
    }
}
