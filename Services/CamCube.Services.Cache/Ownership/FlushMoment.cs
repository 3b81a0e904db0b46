namespace CamCube.Services.Cache.Ownership;

/// <summary>
/// The last flush_all this server knows of, and when it happens. As in memcached there is one: a newer flush replaces
/// one that is still to come. Loop only.
/// </summary>
internal sealed class FlushMoment
{
    private const int RankBits = 16;
    private readonly IServer _server;
    private readonly Action _empty;
    private readonly ServerTimer _timer;
    private long _dueNanos = long.MaxValue;

    /// <param name="server">The service's server.</param>
    /// <param name="empty">Makes all items invisible.</param>
    public FlushMoment(IServer server, Action empty)
    {
        (_server, _empty) = (server, empty);
        _timer = server.CreateTimer(RunDue);
    }

    /// <summary>When and by whom it was asked for; 0 if none ever was.</summary>
    public ulong Stamp { get; private set; }

    /// <summary>That of the last one that was done here; 0 if none was.</summary>
    public ulong DoneStamp { get; private set; }

    /// <summary>Time until it happens; 0 if it has.</summary>
    public long DelayNanos => _dueNanos == long.MaxValue ? 0 : Math.Max(0, _dueNanos - _server.NowNanos);

    /// <summary>
    /// A stamp for a flush that begins here now: milliseconds since 1970, good until the year 10889, and the server's
    /// rank. Larger than that of every flush that is known here, and never that of another server's.
    /// </summary>
    public ulong NewStamp(long unixMilliseconds)
    {
        ulong moment = Math.Max((ulong)Math.Max(0, unixMilliseconds), (Stamp >> RankBits) + 1);
        return (moment << RankBits) | (ushort)_server.Shape.RankOf(_server.Coordinate);
    }

    /// <summary>Notes a flush; one that is known already, or older than the known one, changes nothing.</summary>
    public void Note(ulong stamp, long delayNanos)
    {
        if (stamp <= Stamp)
        {
            return;
        }

        Stamp = stamp;
        _dueNanos = _server.NowNanos + Math.Max(0, delayNanos);
        _timer.ArmAt(_dueNanos);
        RunDue();
    }

    /// <summary>Does it if its time has come. Everybody who looks at items calls this first: in a step packets come
    /// before timers.</summary>
    public void RunDue()
    {
        if (_server.NowNanos >= _dueNanos)
        {
            _dueNanos = long.MaxValue;
            DoneStamp = Stamp;
            _timer.Cancel();
            _empty();
        }
    }
}
