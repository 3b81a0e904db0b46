using System.Buffers;

namespace CamCube.Services.KeyValue.Log;

/// <summary>Writes hints for segments that are written no more, one at a time, in slices. Loop only.</summary>
internal sealed class LogHints(IServer server, StoreLog log, ILogIndex index, LogOptions options)
{
    private static readonly TimeSpan Idle = TimeSpan.FromSeconds(1);
    private readonly SegmentWindow _window = new(SegmentWindow.Ahead, log.Memory);
    private readonly LogPace _pace = new(server, options.SliceBytes);
    private readonly ArrayBufferWriter<byte> _chunk = new(HintFormat.ChunkBytes + SegmentWindow.Ahead);

    /// <summary>Looks once a second whether there is something to do, until the log ends or the service
    /// stops.</summary>
    public async ValueTask Run()
    {
        while (!log.HasEnded && await server.DelayAsync(Idle).ConfigureAwait(true))
        {
            while (!log.HasEnded && !log.IsFull && Choose() is { } segment)
            {
                segment.HasHint = true;
                if (await Write(segment).ConfigureAwait(true) == DiskStatus.Stopped && !segment.IsGone)
                {
                    return;
                }
            }
        }
    }

    // A damaged one is read at each start, and goes as soon as it can. One with bytes behind its end has a batch in it
    // that a later segment has, too.
    private LogSegment? Choose()
    {
        foreach (LogSegment segment in log.Segments.All)
        {
            if (
                segment is { HasHint: false, IsDamaged: false, First: > 0 }
                && segment != log.Segments.Head
                && segment.File.Length == segment.End
            )
            {
                return segment;
            }
        }

        return null;
    }

    private async ValueTask<DiskStatus> Write(LogSegment segment)
    {
        string name = SegmentFormat.HintOf(segment.Number);
        DiskResult<IDiskFile> opened = await server.Disk.OpenAsync(name, create: true).ConfigureAwait(true);
        if (opened.Value is not { } file)
        {
            return opened.Status;
        }

        DiskStatus status = await file.SetLengthAsync(0).ConfigureAwait(true);
        status = status == DiskStatus.Done ? await Write(segment, file).ConfigureAwait(true) : status;
        file.Close();
        if (status == DiskStatus.Done && !segment.IsGone)
        {
            log.Counts.Hints++;
            return await server.Disk.SyncAsync().ConfigureAwait(true);
        }

        if (status != DiskStatus.Stopped || segment.IsGone)
        {
            await server.Disk.DeleteAsync(name).ConfigureAwait(true);
        }

        return status;
    }

    // Chunks, a sync, and the first sector last: if that is right, so is what it is of.
    private async ValueTask<DiskStatus> Write(LogSegment segment, IDiskFile file)
    {
        var cursor = new SegmentCursor(log.Segments.Log, segment.Number, segment.File, segment.End, _window);
        long at = Sectors.Size,
            records = 0;
        _chunk.ResetWrittenCount();
        while (true)
        {
            DiskStatus status = await cursor.MoveNext().ConfigureAwait(true);
            bool isEnd = cursor.Place == SegmentPlace.End;
            if (status != DiskStatus.Done || (!isEnd && cursor.Place != SegmentPlace.Batch))
            {
                // The scrubber says so to the owner.
                segment.IsDamaged |= status == DiskStatus.Done;
                return status == DiskStatus.Done ? DiskStatus.Failed : status;
            }

            while (cursor.MoveRecord())
            {
                if (!cursor.IsRight)
                {
                    segment.IsDamaged = true;
                    return DiskStatus.Failed;
                }

                if (_chunk.WrittenCount == 0)
                {
                    _chunk.GetSpan(HintFormat.ChunkHead);
                    _chunk.Advance(HintFormat.ChunkHead);
                }

                LogRecord head = RecordFormat.Read(cursor.Record, out _, out _, out _);
                HintFormat.Add(_chunk, cursor.Record, cursor.Location, index.IsWholeInHint(head));
                records++;
                if (_pace.IsDue(cursor.Location.Length) && !await Pause().ConfigureAwait(true))
                {
                    return DiskStatus.Stopped;
                }
            }

            if (_chunk.WrittenCount >= HintFormat.ChunkBytes || (isEnd && _chunk.WrittenCount > 0))
            {
                byte[] bytes = _chunk.WrittenSpan.ToArray();
                HintFormat.Seal(bytes, log.Segments.Log, segment.Number, at);
                status = await file.WriteAsync(at, bytes).ConfigureAwait(true);
                at += bytes.Length;
                _chunk.ResetWrittenCount();
            }

            if (status != DiskStatus.Done || segment.IsGone)
            {
                return status;
            }

            if (isEnd)
            {
                status = await file.SyncAsync().ConfigureAwait(true);
                return status == DiskStatus.Done
                    ? await WriteFirst(segment, file, records, at).ConfigureAwait(true)
                    : status;
            }

            if (_pace.IsDue(cursor.Head.Length) && !await Pause().ConfigureAwait(true))
            {
                return DiskStatus.Stopped;
            }
        }
    }

    private ValueTask<bool> Pause() => _pace.Pause(options.CompactionBytesPerSecond);

    private ValueTask<DiskStatus> WriteFirst(LogSegment segment, IDiskFile file, long records, long length)
    {
        byte[] sector = new byte[Sectors.Size];
        HintFormat.Write(sector, log.Segments.Log, segment, records, length);
        return file.WriteAsync(0, sector, sync: true);
    }
}
