namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>What one front end counts of its commands. Any thread.</summary>
internal sealed class CommandCounters
{
    private long _getTimeouts;
    private long _failures;
    private long _tooLarge;
    private long _authentications;
    private long _authenticationErrors;

    /// <summary>Keys of gets that were answered as a miss because the root did not answer in time.</summary>
    public long GetTimeouts => Volatile.Read(ref _getTimeouts);

    /// <summary>Commands that ended with an exception.</summary>
    public long Failures => Volatile.Read(ref _failures);

    /// <summary>Attempts of clients to say who they are.</summary>
    public long Authentications => Volatile.Read(ref _authentications);

    /// <summary>Those that failed.</summary>
    public long AuthenticationErrors => Volatile.Read(ref _authenticationErrors);

    /// <summary>Values that were announced larger than the largest item.</summary>
    public long TooLarge => Volatile.Read(ref _tooLarge);

    public void CountTooLarge() => Interlocked.Increment(ref _tooLarge);

    public void CountAuthentication(bool hasSucceeded)
    {
        Interlocked.Increment(ref _authentications);
        Interlocked.Add(ref _authenticationErrors, hasSucceeded ? 0 : 1);
    }

    public void CountGetTimeout() => Interlocked.Increment(ref _getTimeouts);

    public void CountFailure() => Interlocked.Increment(ref _failures);

    /// <summary>Starts again at zero, for <c>stats reset</c>.</summary>
    public void Reset()
    {
        Interlocked.Exchange(ref _getTimeouts, 0);
        Interlocked.Exchange(ref _failures, 0);
        Interlocked.Exchange(ref _tooLarge, 0);
        Interlocked.Exchange(ref _authentications, 0);
        Interlocked.Exchange(ref _authenticationErrors, 0);
    }
}
