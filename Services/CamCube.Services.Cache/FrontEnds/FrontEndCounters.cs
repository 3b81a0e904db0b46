namespace CamCube.Services.Cache.FrontEnds;

/// <summary>What one front end counts. Any thread.</summary>
internal sealed class FrontEndCounters
{
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
    internal long Accepted => Volatile.Read(ref _accepted);

    /// <summary>Clients told that there are too many.</summary>
    internal long Rejected => Volatile.Read(ref _rejected);

    /// <summary>Bytes from clients.</summary>
    internal long BytesRead => Volatile.Read(ref _bytesRead);

    /// <summary>Bytes to clients.</summary>
    internal long BytesWritten => Volatile.Read(ref _bytesWritten);

    /// <summary>Keys of gets that were answered as a miss because the root did not answer in time.</summary>
    internal long GetTimeouts => Volatile.Read(ref _getTimeouts);

    /// <summary>Commands that ended with an exception.</summary>
    internal long Failures => Volatile.Read(ref _failures);

    /// <summary>Clients closed because they left their answers unread.</summary>
    internal long Stalled => Volatile.Read(ref _stalled);

    /// <summary>Clients closed because they said nothing.</summary>
    internal long IdleKicks => Volatile.Read(ref _idleKicks);

    /// <summary>Turns of the loop that were over before a client's commands were.</summary>
    internal long Yields => Volatile.Read(ref _yields);

    /// <summary>Attempts of clients to say who they are.</summary>
    internal long Authentications => Volatile.Read(ref _authentications);

    /// <summary>Those that failed.</summary>
    internal long AuthenticationErrors => Volatile.Read(ref _authenticationErrors);

    /// <summary>Clients that did not agree on TLS.</summary>
    internal long HandshakeErrors => Volatile.Read(ref _handshakeErrors);

    /// <summary>Times that nobody was accepted for a while, for want of descriptors or of places.</summary>
    internal long Pauses => Volatile.Read(ref _pauses);

    /// <summary>Microseconds of those that are over.</summary>
    internal long PauseMicros => Volatile.Read(ref _pauseMicros);

    /// <summary>Whether it is so now.</summary>
    internal bool IsPaused => Volatile.Read(ref _pausedNow) > 0;

    internal void CountPause()
    {
        Interlocked.Increment(ref _pauses);
        Interlocked.Increment(ref _pausedNow);
    }

    internal void EndPause(TimeSpan length)
    {
        Interlocked.Add(ref _pauseMicros, (long)length.TotalMicroseconds);
        Interlocked.Decrement(ref _pausedNow);
    }

    /// <summary>Values that were announced larger than the largest item.</summary>
    internal long TooLarge => Volatile.Read(ref _tooLarge);

    internal void CountTooLarge() => Interlocked.Increment(ref _tooLarge);

    internal void CountYield() => Interlocked.Increment(ref _yields);

    internal void CountAuthentication(bool hasSucceeded)
    {
        Interlocked.Increment(ref _authentications);
        Interlocked.Add(ref _authenticationErrors, hasSucceeded ? 0 : 1);
    }

    internal void CountHandshakeError() => Interlocked.Increment(ref _handshakeErrors);

    internal void CountStalled() => Interlocked.Increment(ref _stalled);

    internal void CountIdleKick() => Interlocked.Increment(ref _idleKicks);

    internal void CountAccepted() => Interlocked.Increment(ref _accepted);

    internal void CountRejected() => Interlocked.Increment(ref _rejected);

    internal void CountRead(long bytes) => Interlocked.Add(ref _bytesRead, bytes);

    internal void CountWritten(long bytes) => Interlocked.Add(ref _bytesWritten, bytes);

    internal void CountGetTimeout() => Interlocked.Increment(ref _getTimeouts);

    internal void CountFailure() => Interlocked.Increment(ref _failures);

    /// <summary>Starts again at zero, for <c>stats reset</c>.</summary>
    internal void Reset()
    {
        Interlocked.Exchange(ref _accepted, 0);
        Interlocked.Exchange(ref _rejected, 0);
        Interlocked.Exchange(ref _bytesRead, 0);
        Interlocked.Exchange(ref _bytesWritten, 0);
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
