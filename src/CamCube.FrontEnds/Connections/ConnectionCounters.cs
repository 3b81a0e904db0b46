namespace CamCube.FrontEnds.Connections;

/// <summary>What one front end counts of its connections. Any thread.</summary>
public sealed class ConnectionCounters
{
    private volatile LoopTraffic[] _loops = [];
    private long _accepted;
    private long _rejected;
    private long _bytesRead;
    private long _bytesWritten;
    private long _failures;
    private long _stalled;
    private long _idleKicks;
    private long _yields;
    private long _pauses;
    private long _pauseMicros;
    private int _pausedNow;
    private long _handshakeErrors;

    /// <summary>Clients accepted.</summary>
    public long Accepted => Volatile.Read(ref _accepted);

    /// <summary>Clients told that there are too many.</summary>
    public long Rejected => Volatile.Read(ref _rejected);

    /// <summary>Bytes from clients.</summary>
    public long BytesRead => Volatile.Read(ref _bytesRead) + ReadByLoops;

    /// <summary>Bytes to clients.</summary>
    public long BytesWritten => Volatile.Read(ref _bytesWritten) + WrittenByLoops;

    /// <summary>Clients closed because their protocol threw, or broke its contract.</summary>
    public long ProtocolFailures => Volatile.Read(ref _failures);

    /// <summary>Clients closed because they left their answers unread.</summary>
    public long Stalled => Volatile.Read(ref _stalled);

    /// <summary>Clients closed because they said nothing.</summary>
    public long IdleKicks => Volatile.Read(ref _idleKicks);

    /// <summary>Turns of the loop that were over before a client's input was.</summary>
    public long Yields => Volatile.Read(ref _yields);

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

    /// <summary>Starts again at zero.</summary>
    public void Reset()
    {
        Interlocked.Exchange(ref _accepted, 0);
        Interlocked.Exchange(ref _rejected, 0);
        Interlocked.Exchange(ref _bytesRead, -ReadByLoops);
        Interlocked.Exchange(ref _bytesWritten, -WrittenByLoops);
        Interlocked.Exchange(ref _failures, 0);
        Interlocked.Exchange(ref _stalled, 0);
        Interlocked.Exchange(ref _idleKicks, 0);
        Interlocked.Exchange(ref _yields, 0);
        Interlocked.Exchange(ref _pauses, 0);
        Interlocked.Exchange(ref _pauseMicros, 0);
        Interlocked.Exchange(ref _handshakeErrors, 0);
    }

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

    /// <summary>What loops count from now on is counted in.</summary>
    internal void Add(IEnumerable<LoopTraffic> loops) => _loops = [.. _loops, .. loops];

    internal void CountYield() => Interlocked.Increment(ref _yields);

    internal void CountHandshakeError() => Interlocked.Increment(ref _handshakeErrors);

    internal void CountStalled() => Interlocked.Increment(ref _stalled);

    internal void CountIdleKick() => Interlocked.Increment(ref _idleKicks);

    internal void CountAccepted() => Interlocked.Increment(ref _accepted);

    internal void CountRejected() => Interlocked.Increment(ref _rejected);

    internal void CountRead(int bytes) => Interlocked.Add(ref _bytesRead, bytes);

    internal void CountWritten(int bytes) => Interlocked.Add(ref _bytesWritten, bytes);

    internal void CountProtocolFailure() => Interlocked.Increment(ref _failures);
}
