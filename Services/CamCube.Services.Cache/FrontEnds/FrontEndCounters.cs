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

    internal void CountStalled() => Interlocked.Increment(ref _stalled);

    internal void CountIdleKick() => Interlocked.Increment(ref _idleKicks);

    internal void CountAccepted() => Interlocked.Increment(ref _accepted);

    internal void CountRejected() => Interlocked.Increment(ref _rejected);

    internal void CountRead(int bytes) => Interlocked.Add(ref _bytesRead, bytes);

    internal void CountWritten(int bytes) => Interlocked.Add(ref _bytesWritten, bytes);

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
    }
}
