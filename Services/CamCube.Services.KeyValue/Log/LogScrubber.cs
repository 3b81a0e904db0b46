namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Reads all of the log once in a period, so evenly that nobody feels it, and says what has rotted before the other
/// copies do, too: batches, first sectors, hints, and the file that says whose it is. Loop only.
/// </summary>
internal sealed class LogScrubber(IServer server, StoreLog log, LogOptions options)
{
    // A pass ends a little before the period does.
    private const double Share = 0.95;
    private readonly SegmentWindow _window = new(64 << 10, log.Memory);
    private long _begun;
    private uint _segment;
    private long _passes;
    private long _done;

    public LogScrubProgress Progress => new(_passes, _begun, _segment, _done) { Share = PassedShare() };

    /// <summary>Goes on where the last run was, until the log ends or the service stops.</summary>
    public async ValueTask Run()
    {
        long now = server.NowNanos;
        (_begun, _segment) = await ScrubFile.Read(server.Disk, log.Segments.Log).ConfigureAwait(true) ?? (now, 0);
        if (_begun > now || now - _begun > Nanos(options.ScrubPeriod))
        {
            // Late, or the clock was set: what is left is not to be read at once.
            _begun = now - (long)(Nanos(options.ScrubPeriod) * Share * PassedShare());
        }

        while (!log.HasEnded)
        {
            if (Next() is { } segment)
            {
                _segment = segment.Number;
                if (!await Look(segment).ConfigureAwait(true))
                {
                    return;
                }
            }
            else
            {
                _passes++;
                (_begun, _segment) = (Math.Max(server.NowNanos, _begun + 1), 0);
                await log.Segments.CheckStore().ConfigureAwait(true);
                if (!await server.DelayAsync(options.ScrubPeriod / 100).ConfigureAwait(true))
                {
                    return;
                }
            }

            await ScrubFile.Write(server.Disk, log.Segments.Log, _begun, _segment).ConfigureAwait(true);
        }
    }

    private static long Nanos(TimeSpan time) => time.Ticks * 100;

    private LogSegment? Next()
    {
        foreach (LogSegment segment in log.Segments.All)
        {
            if (segment.Number > _segment)
            {
                return segment;
            }
        }

        return null;
    }

    // What of all bytes lies in segments that were looked at in this pass.
    private double PassedShare()
    {
        double passed = 0,
            all = 1;
        foreach (LogSegment segment in log.Segments.All)
        {
            passed += segment.Number <= _segment ? segment.End : 0;
            all += segment.End;
        }

        return passed / all;
    }

    // False: the service stops.
    private async ValueTask<bool> Look(LogSegment segment)
    {
        if (!await CheckFirst(segment).ConfigureAwait(true))
        {
            return await server.DelayAsync(TimeSpan.FromSeconds(1)).ConfigureAwait(true);
        }

        long unpaid = 0;
        var cursor = new SegmentCursor(log.Segments.Log, segment.Number, segment.File, segment.End, _window);
        while (!segment.IsGone && !log.HasEnded)
        {
            DiskStatus status = await cursor.MoveNext().ConfigureAwait(true);
            if (status == DiskStatus.Stopped || segment.IsGone)
            {
                return segment.IsGone;
            }

            if (status != DiskStatus.Done)
            {
                // What cannot be read is as good as rotten.
                log.TellRot(segment, cursor.At, segment.End);
                return true;
            }

            if (cursor.Place == SegmentPlace.End)
            {
                await CheckHint(segment).ConfigureAwait(true);
                return await server.DelayAsync(PauseFor(segment, cursor.At, unpaid)).ConfigureAwait(true);
            }

            while (cursor.MoveRecord())
            {
                if (!cursor.IsRight)
                {
                    log.TellRot(segment, cursor.Location.Offset, cursor.Location.Offset + cursor.Location.Length);
                }
            }

            log.TellRest(segment, cursor);
            unpaid += cursor.End - cursor.At;
            _done += cursor.End - cursor.At;
            if (unpaid >= options.SliceBytes)
            {
                if (!await server.DelayAsync(PauseFor(segment, cursor.End, unpaid)).ConfigureAwait(true))
                {
                    return false;
                }

                unpaid = 0;
            }
        }

        return !log.HasEnded;
    }

    // What is left of the pass is shared by what was looked at just now and what is left to look at.
    private TimeSpan PauseFor(LogSegment segment, long at, long bytes)
    {
        long left = bytes - at;
        foreach (LogSegment other in log.Segments.All)
        {
            left += other.Number >= segment.Number ? other.End : 0;
        }

        double time = _begun + (Nanos(options.ScrubPeriod) * Share) - server.NowNanos,
            pause = time * bytes / Math.Max(left, 1) / 100,
            fastest = bytes * (double)TimeSpan.TicksPerSecond / options.CompactionBytesPerSecond;
        return TimeSpan.FromTicks((long)Math.Max(pause, fastest));
    }

    private async ValueTask<bool> CheckFirst(LogSegment segment)
    {
        DiskStatus status = await _window.MoveTo(segment.File, 0, Sectors.Size).ConfigureAwait(true);
        if (status != DiskStatus.Done)
        {
            return false;
        }

        if (!log.Segments.IsFirstOf(segment, _window.Span(0, Sectors.Size)))
        {
            // Nothing in it is lost, and the next start would take it for damage.
            log.Counts.Rotten += segment.IsDamaged ? 0 : 1;
            segment.IsDamaged = true;
        }

        return true;
    }

    private async ValueTask CheckHint(LogSegment segment)
    {
        if (!segment.HasHint || segment.IsDamaged)
        {
            return;
        }

        var hint = new HintReader(server.Disk, null, log.Segments.Log, _window);
        DiskStatus status = await hint.Read(segment).ConfigureAwait(true);
        if (status is DiskStatus.Done or DiskStatus.NotFound && !hint.IsRight)
        {
            // It is written anew.
            segment.HasHint = false;
            log.Counts.Rotten++;
        }
    }
}
