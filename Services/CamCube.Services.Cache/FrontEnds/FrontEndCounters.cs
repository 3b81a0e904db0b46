namespace CamCube.Services.Cache.FrontEnds;

/// <summary>What one front end counts. Any thread.</summary>
internal sealed class FrontEndCounters
{
    private volatile LoopTraffic[] _loops = [];
    private long _accepted;
    private long _rejected;
    private long _bytesRead;
    private long _bytesWritten;
    private long _getTimeouts;
    private long _failures;
    private long _stalled;
    private long _idleKicks;
    private long _yields;
    private long _tooLarge;
    private long _pauses;
    private long _pauseMicros;
    private int _pausedNow;
    private long _authentications;
    private long _authenticationErrors;
    private long _handshakeErrors;

    /// <summary>Clients accepted.</summary>
    public long Accepted => Volatile.Read(ref _accepted);

    /// <summary>Clients told that there are too many.</summary>
    public long Rejected => Volatile.Read(ref _rejected);

    /// <summary>Bytes from clients.</summary>
    public long BytesRead => Volatile.Read(ref _bytesRead) + ReadByLoops;

    /// <summary>Bytes to clients.</summary>
    public long BytesWritten => Volatile.Read(ref _bytesWritten) + WrittenByLoops;

    /// <summary>Keys of gets that were answered as a miss because the root did not answer in time.</summary>
    public long GetTimeouts => Volatile.Read(ref _getTimeouts);

    /// <summary>Commands that ended with an exception.</summary>
    public long Failures => Volatile.Read(ref _failures);

    /// <summary>Clients closed because they left their answers unread.</summary>
    public long Stalled => Volatile.Read(ref _stalled);

    /// <summary>Clients closed because they said nothing.</summary>
    public long IdleKicks => Volatile.Read(ref _idleKicks);

    /// <summary>Turns of the loop that were over before a client's commands were.</summary>
    public long Yields => Volatile.Read(ref _yields);

    /// <summary>Attempts of clients to say who they are.</summary>
    public long Authentications => Volatile.Read(ref _authentications);

    /// <summary>Those that failed.</summary>
    public long AuthenticationErrors => Volatile.Read(ref _authenticationErrors);

    /// <summary>Clients that did not agree on TLS.</summary>
    public long HandshakeErrors => Volatile.Read(ref _handshakeErrors);

    /// <summary>Times that nobody was accepted for a while, for want of descriptors or of places.</summary>
    public long Pauses => Volatile.Read(ref _pauses);

    /// <summary>Microseconds of those that are over.</summary>
    public long PauseMicros => Volatile.Read(ref _pauseMicros);

    /// <summary>Whether it is so now.</summary>
    public bool IsPaused => Volatile.Read(ref _pausedNow) > 0;

    private long ReadByLoops => _loops.Sum(loop => loop.BytesRead);

    private long WrittenByLoops => _loops.Sum(loop => loop.BytesWritten);

    public void CountPause()
    {
        Interlocked.Increment(ref _pauses);
        Interlocked.Increment(ref _pausedNow);
    }

    public void EndPause(TimeSpan length)
    {
        Interlocked.Add(ref _pauseMicros, (long)length.TotalMicroseconds);
        Interlocked.Decrement(ref _pausedNow);
    }

    /// <summary>Values that were announced larger than the largest item.</summary>
    public long TooLarge => Volatile.Read(ref _tooLarge);

    public void CountTooLarge() => Interlocked.Increment(ref _tooLarge);

    public void CountYield() => Interlocked.Increment(ref _yields);

    public void CountAuthentication(bool hasSucceeded)
    {
        Interlocked.Increment(ref _authentications);
        Interlocked.Add(ref _authenticationErrors, hasSucceeded ? 0 : 1);
    }

    public void CountHandshakeError() => Interlocked.Increment(ref _handshakeErrors);

    public void CountStalled() => Interlocked.Increment(ref _stalled);

    public void CountIdleKick() => Interlocked.Increment(ref _idleKicks);

    public void CountAccepted() => Interlocked.Increment(ref _accepted);

    public void CountRejected() => Interlocked.Increment(ref _rejected);

    /// <summary>What loops count from now on is counted in.</summary>
    public void Add(IEnumerable<LoopTraffic> loops) => _loops = [.. _loops, .. loops];

    public void CountRead(int bytes) => Interlocked.Add(ref _bytesRead, bytes);

    public void CountWritten(int bytes) => Interlocked.Add(ref _bytesWritten, bytes);

    public void CountGetTimeout() => Interlocked.Increment(ref _getTimeouts);

    public void CountFailure() => Interlocked.Increment(ref _failures);

    /// <summary>Starts again at zero, for <c>stats reset</c>.</summary>
    public void Reset()
    {
        Interlocked.Exchange(ref _accepted, 0);
        Interlocked.Exchange(ref _rejected, 0);
        Interlocked.Exchange(ref _bytesRead, -ReadByLoops);
        Interlocked.Exchange(ref _bytesWritten, -WrittenByLoops);
        Interlocked.Exchange(ref _getTimeouts, 0);
        Interlocked.Exchange(ref _failures, 0);
        Interlocked.Exchange(ref _stalled, 0);
        Interlocked.Exchange(ref _idleKicks, 0);
        Interlocked.Exchange(ref _yields, 0);
        Interlocked.Exchange(ref _tooLarge, 0);
        Interlocked.Exchange(ref _pauses, 0);
        Interlocked.Exchange(ref _pauseMicros, 0);
        Interlocked.Exchange(ref _authentications, 0);
        Interlocked.Exchange(ref _authenticationErrors, 0);
        Interlocked.Exchange(ref _handshakeErrors, 0);
    }
}
