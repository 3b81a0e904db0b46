namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Gives back the room of what is needed no more, as the cleaner of a log-structured file system does (Rosenblum and
/// Ousterhout 1992): of the segment with the largest share of garbage what is needed is copied to the head; once that
/// is synced, and the owner needs nothing of it, the segment goes. One segment at a time, in slices. Loop only.
/// </summary>
internal sealed class LogCompactor(IServer server, StoreLog log, ILogIndex index, LogOptions options)
{
    private static readonly TimeSpan Idle = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Hold = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Wait = TimeSpan.FromMilliseconds(1);

    // Of garbage so near to what is allowed the rate is multiplied.
    private const int Haste = 16;

    // Not worth its copies: a segment with less garbage than this.
    private const double LeastShare = 0.1;
    private readonly SegmentWindow _window = new(SegmentWindow.Ahead, log.Memory);
    private readonly LogPace _pace = new(server, options.SliceBytes);
    private bool _isHeld;
    private ulong _awaited;
    private double _rate;

    /// <summary>Looks once a second whether there is something to do, until the log ends or the service
    /// stops.</summary>
    public async ValueTask Run()
    {
        while (!log.HasEnded && await server.DelayAsync(Idle).ConfigureAwait(true))
        {
            while (!log.HasEnded && Choose() is { } segment)
            {
                bool goesOn = await Compact(segment).ConfigureAwait(true);
                if (!goesOn)
                {
                    return;
                }
            }
        }
    }

    // How much there is, and how much of it is needed.
    private (long Bytes, long Needed) Sum()
    {
        long bytes = 0,
            needed = 0;
        foreach (LogSegment segment in log.Segments.All)
        {
            bytes += segment.End;
            needed += index.NeededBytes(segment.Number);
        }

        return (bytes, needed);
    }

    private LogSegment? Choose()
    {
        LogSegment? most = null;
        double mostShare = 0;
        foreach (LogSegment segment in log.Segments.All)
        {
            if (segment == log.Segments.Head || segment.HeldUntil > server.NowNanos)
            {
                continue;
            }

            long needed = index.NeededBytes(segment.Number);
            double share = 1 - (needed / (double)segment.End);

            // What is rotten goes as soon as it can: the next start would take it for damage.
            share = needed == 0 || segment.IsDamaged ? 2 : share;
            if (share > mostShare)
            {
                (most, mostShare) = (segment, share);
            }
        }

        if (most is null || mostShare > 1)
        {
            return most;
        }

        (long bytes, long all) = Sum();
        bool isMuch = bytes - all > all * (options.GarbagePercent / 100.0);
        return (isMuch || log.IsFull) && mostShare > LeastShare ? most : null;
    }

    // False: the service stops, or the log has ended.
    private async ValueTask<bool> Compact(LogSegment segment)
    {
        (_isHeld, _awaited) = (false, 0);
        if (!await Copy(segment).ConfigureAwait(true))
        {
            return false;
        }

        while (log.IsCopying || !log.IsSynced(_awaited))
        {
            if (log.HasEnded || !await server.DelayAsync(Wait).ConfigureAwait(true))
            {
                return false;
            }
        }

        if (_isHeld || index.NeededBytes(segment.Number) != 0)
        {
            return Stay(segment);
        }

        DiskStatus status = await log.Segments.Delete(segment).ConfigureAwait(true);
        if (status != DiskStatus.Done)
        {
            return Stay(segment);
        }

        log.Counts.Compacted++;
        log.RoomWasMade();
        return true;
    }

    private bool Stay(LogSegment segment)
    {
        log.Counts.Held++;
        segment.HeldUntil = server.NowNanos + (Hold.Ticks * 100);
        return !log.HasEnded;
    }

    private async ValueTask<bool> Copy(LogSegment segment)
    {
        var cursor = new SegmentCursor(log.Segments.Log, segment.Number, segment.File, segment.End, _window);
        while (true)
        {
            DiskStatus status = await cursor.MoveNext().ConfigureAwait(true);
            if (status != DiskStatus.Done)
            {
                _isHeld = true;
                return status != DiskStatus.Stopped;
            }

            if (cursor.Place == SegmentPlace.End)
            {
                return true;
            }

            _rate = Rate();
            while (cursor.MoveRecord())
            {
                // A batch may have thousands.
                bool goesOn =
                    await Take(segment, cursor).ConfigureAwait(true)
                    && (!_pace.IsDue(cursor.Location.Length) || await _pace.Pause(_rate).ConfigureAwait(true));
                if (!goesOn)
                {
                    return false;
                }
            }

            log.TellRest(segment, cursor);
            long rest = cursor.End - cursor.At - (cursor.HasHead ? cursor.Head.BodyLength : 0);
            if (_pace.IsDue(rest) && !await _pace.Pause(_rate).ConfigureAwait(true))
            {
                return false;
            }
        }
    }

    private double Rate()
    {
        (long bytes, long needed) = Sum();
        bool isNear = log.IsFull || bytes - needed > needed * Math.Min(0.9, options.GarbagePercent * 1.5 / 100);
        return options.CompactionBytesPerSecond * (isNear ? (double)Haste : 1);
    }

    private async ValueTask<bool> Take(LogSegment segment, SegmentCursor cursor)
    {
        LogLocation location = cursor.Location;
        if (!cursor.IsRight)
        {
            log.TellRot(segment, location.Offset, location.Offset + location.Length);
            return true;
        }

        LogNeed need = Ask(segment, cursor);
        _isHeld |= need == LogNeed.Later;
        if (need == LogNeed.Rewritten)
        {
            _awaited = log.Tickets;
        }

        if (need != LogNeed.Copy)
        {
            return true;
        }

        while (!log.TryCopy(cursor.Record, location))
        {
            if (log.HasEnded || !await server.DelayAsync(Wait).ConfigureAwait(true))
            {
                return false;
            }
        }

        log.Counts.CopiedBytes += location.Length;
        _pace.IsDue(location.Length);
        return true;
    }

    private LogNeed Ask(LogSegment segment, SegmentCursor cursor)
    {
        LogRecord record = RecordFormat.Read(cursor.Record, out Range range, out _, out _);
        ReadOnlySpan<byte> key = cursor.Record[range];
        LogNeed need = index.NeedOf(record, key, cursor.Location);
        if (need != LogNeed.PassedDelete)
        {
            return need;
        }

        if (log.MayHold(KeyFilter.Hash(record.Group, key), segment))
        {
            return LogNeed.Copy;
        }

        log.Counts.DroppedDeletes++;
        index.Dropped(record, key, cursor.Location);
        return LogNeed.None;
    }
}
