namespace CamCube.Services.KeyValue.Log;

/// <summary>How much room the disk has: looked at when something is appended, once in a while, for others may use the
/// same disk. Loop only.</summary>
internal sealed class LogRoom(IServer server, LogOptions options)
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);
    private long _free = long.MaxValue;
    private long _lookedAt = long.MinValue;
    private bool _isLooking;

    /// <summary>Bytes that the disk had left when it was last looked at, less what was written since.</summary>
    public long Free => _free;

    /// <summary>Whether there is room for a record. Looks again if the last look was long ago.</summary>
    public bool Has(LogUse use)
    {
        if (!_isLooking && (_lookedAt == long.MinValue || server.NowNanos - _lookedAt >= Period.Ticks * 100))
        {
            _isLooking = true;
            server.Loop.Run(Look);
        }

        return _free
            >= (use == LogUse.Put ? (long)options.ReserveSegments * options.SegmentBytes : options.SegmentBytes / 2);
    }

    /// <summary>Bytes were written.</summary>
    public void Take(long bytes) => _free -= _free == long.MaxValue ? 0 : bytes;

    /// <summary>Looks now.</summary>
    public async ValueTask Look()
    {
        DiskResult<DiskSpace> space = await (options.Disk ?? server.Disk).GetSpaceAsync().ConfigureAwait(true);
        (_isLooking, _lookedAt) = (false, server.NowNanos);

        // A disk that does not say says so when it is written to.
        _free = space.IsDone ? space.Value.FreeBytes : long.MaxValue;
    }
}
