namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Gives back the room of what is needed no more, as the cleaner of a log-structured file system does (Rosenblum and
/// Ousterhout 1992): of the segment with the largest share of garbage what is needed is copied to the head; once that
/// is synced, and the owner needs nothing of it, the segment goes. One segment at a time, in slices. Loop only.
/// </summary>
internal sealed class LogCompactor
{
    private static readonly TimeSpan Idle = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan FirstHold = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan LongestHold = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Wait = TimeSpan.FromMilliseconds(1);

    // The nearer garbage comes to what is allowed, the more the rate is multiplied.
    private const int Haste = 16;

    // So many looks for each segment that is written, at most: a look goes through all of them.
    private const int Looks = 16;

    // Not worth its copies: a segment with less garbage than this.
    private const double LeastShare = 0.1;
    private readonly IServer _server;
    private readonly StoreLog _log;
    private readonly ILogIndex _index;
    private readonly LogOptions _options;
    private readonly SegmentWindow _window;
    private readonly LogPace _pace;
    private readonly Func<ValueTask> _work;
    private bool _isAtWork;
    private long _unseen;
    private bool _isHeld;
    private ulong _awaited;
    private double _rate;

    /// <summary>Of a log; not at work yet.</summary>
    public LogCompactor(IServer server, StoreLog log, ILogIndex index, LogOptions options)
    {
        (_server, _log, _index, _options) = (server, log, index, options);
        _window = new SegmentWindow(SegmentWindow.Ahead, log.Memory);
        _pace = new LogPace(server, options.SliceBytes);
        _work = Work;
    }

    /// <summary>Looks once a second whether there is something to do, until the log ends or the service
    /// stops.</summary>
    public async ValueTask Run()
    {
        while (!_log.HasEnded && await _server.DelayAsync(Idle).ConfigureAwait(true))
        {
            await Work().ConfigureAwait(true);
        }
    }

    /// <summary>So many bytes were written: if there is too much garbage now, it does not wait for the next second, in
    /// which a disk can write more than all that is needed.</summary>
    public void Wrote(int bytes)
    {
        _unseen += bytes;
        if (!_isAtWork && _unseen >= _options.SegmentBytes / Looks && IsMuch)
        {
            _server.Loop.Run(_work);
        }
    }

    private bool IsMuch => Garbage > _index.Needed * (_options.GarbagePercent / 100.0);

    // But for that in the head, which stays for now: others that have little of it would be copied for it, in vain.
    private long Garbage
    {
        get
        {
            long all = _log.Segments.Bytes - _index.Needed;
            return _log.Segments.Head is { } head ? all - (head.End - _index.NeededBytes(head.Number)) : all;
        }
    }

    private async ValueTask Work()
    {
        if (_isAtWork)
        {
            return;
        }

        _isAtWork = true;
        while (!_log.HasEnded && Choose() is { } segment && await Compact(segment).ConfigureAwait(true)) { }
        (_isAtWork, _unseen) = (false, 0);
    }

    private LogSegment? Choose()
    {
        LogSegment? most = null;
        double mostShare = 0;
        foreach (LogSegment segment in _log.Segments.All)
        {
            if (segment == _log.Segments.Head || segment.HeldUntil > _server.NowNanos)
            {
                continue;
            }

            long needed = _index.NeededBytes(segment.Number);
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

        return (IsMuch || _log.IsFull) && mostShare > LeastShare ? most : null;
    }

    // False: the service stops, or the log has ended.
    private async ValueTask<bool> Compact(LogSegment segment)
    {
        (_isHeld, _awaited) = (false, 0);
        if (!await Copy(segment).ConfigureAwait(true))
        {
            return false;
        }

        while (_log.IsCopying || !_log.IsSynced(_awaited))
        {
            if (_log.HasEnded || !await _server.DelayAsync(Wait).ConfigureAwait(true))
            {
                return false;
            }
        }

        if (_isHeld || _index.NeededBytes(segment.Number) != 0)
        {
            return Stay(segment);
        }

        DiskStatus status = await _log.Segments.Delete(segment).ConfigureAwait(true);
        if (status != DiskStatus.Done)
        {
            return Stay(segment);
        }

        _log.Counts.Compacted++;
        _log.RoomWasMade();
        return true;
    }

    private bool Stay(LogSegment segment)
    {
        // An entry at the end of its group's log is there a moment longer, what is damaged until it is repaired.
        _log.Counts.Held++;
        TimeSpan hold = FirstHold * (1 << Math.Min(segment.Holds++, 10));
        segment.HeldUntil = _server.NowNanos + (Math.Min(hold.Ticks, LongestHold.Ticks) * 100);
        return !_log.HasEnded;
    }

    private async ValueTask<bool> Copy(LogSegment segment)
    {
        var cursor = new SegmentCursor(_log.Segments.Log, segment.Number, segment.File, segment.End, _window);
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

            _log.TellRest(segment, cursor);
            long rest = cursor.End - cursor.At - (cursor.HasHead ? cursor.Head.BodyLength : 0);
            if (_pace.IsDue(rest) && !await _pace.Pause(_rate).ConfigureAwait(true))
            {
                return false;
            }
        }
    }

    private double Rate()
    {
        double least = _options.GarbagePercent / 100.0,
            most = Math.Max(least + 0.05, Math.Min(0.9, least * 1.5)),
            share = Garbage / Math.Max(1.0, _index.Needed),
            haste = _log.IsFull ? 1 : Math.Clamp((share - least) / (most - least), 0, 1);
        return _options.CompactionBytesPerSecond * (1 + ((Haste - 1) * haste));
    }

    private async ValueTask<bool> Take(LogSegment segment, SegmentCursor cursor)
    {
        LogLocation location = cursor.Location;
        if (!cursor.IsRight)
        {
            _log.TellRot(segment, location.Offset, location.Offset + location.Length);
            return true;
        }

        LogNeed need = Ask(segment, cursor);
        _isHeld |= need == LogNeed.Later;
        if (need == LogNeed.Rewritten)
        {
            _awaited = _log.Tickets;
        }

        if (need != LogNeed.Copy)
        {
            return true;
        }

        while (!_log.TryCopy(cursor.Record, location))
        {
            if (_log.HasEnded || !await _server.DelayAsync(Wait).ConfigureAwait(true))
            {
                return false;
            }
        }

        _log.Counts.CopiedBytes += location.Length;
        _pace.IsDue(location.Length);
        return true;
    }

    private LogNeed Ask(LogSegment segment, SegmentCursor cursor)
    {
        LogRecord record = RecordFormat.Read(cursor.Record, out Range range, out _, out _);
        ReadOnlySpan<byte> key = cursor.Record[range];
        LogNeed need = _index.NeedOf(record, key, cursor.Location);
        if (need != LogNeed.PassedDelete)
        {
            return need;
        }

        // All filters are asked: with thousands of segments that is more work than all else.
        _pace.Worked(_log.Segments.All.Count);
        if (_log.MayHold(KeyFilter.Hash(record.Group, key), segment))
        {
            return LogNeed.Copy;
        }

        _log.Counts.DroppedDeletes++;
        _index.Dropped(record, key, cursor.Location);
        return LogNeed.None;
    }
}
