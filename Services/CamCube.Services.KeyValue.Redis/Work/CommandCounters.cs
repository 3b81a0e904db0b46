using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>What one front end counts of its commands. Any thread.</summary>
internal sealed class CommandCounters
{
    private long _commands;
    private long _errors;
    private long _failures;
    private long _malformed;
    private long _refusedForMemory;
    private long _authenticationErrors;

    /// <summary>Commands answered.</summary>
    public long Commands => Volatile.Read(ref _commands);

    /// <summary>Those answered with an error.</summary>
    public long Errors => Volatile.Read(ref _errors);

    /// <summary>Those that ended with an exception.</summary>
    public long Failures => Volatile.Read(ref _failures);

    /// <summary>Clients closed because what they sent was no request.</summary>
    public long Malformed => Volatile.Read(ref _malformed);

    /// <summary>Clients closed because there was no memory for what they sent.</summary>
    public long RefusedForMemory => Volatile.Read(ref _refusedForMemory);

    /// <summary>Attempts of clients to say who they are that failed.</summary>
    public long AuthenticationErrors => Volatile.Read(ref _authenticationErrors);

    public void CountCommand(bool hasFailed)
    {
        Interlocked.Increment(ref _commands);
        if (hasFailed)
        {
            Interlocked.Increment(ref _errors);
        }
    }

    public void CountFailure() => Interlocked.Increment(ref _failures);

    public void CountMalformed() => Interlocked.Increment(ref _malformed);

    public void CountRefusedForMemory() => Interlocked.Increment(ref _refusedForMemory);

    public void CountAuthentication(bool hasSucceeded) =>
        Interlocked.Add(ref _authenticationErrors, hasSucceeded ? 0 : 1);

    /// <summary>Starts again at zero, for CONFIG RESETSTAT.</summary>
    public void Reset()
    {
        Interlocked.Exchange(ref _commands, 0);
        Interlocked.Exchange(ref _errors, 0);
        Interlocked.Exchange(ref _failures, 0);
        Interlocked.Exchange(ref _malformed, 0);
        Interlocked.Exchange(ref _refusedForMemory, 0);
        Interlocked.Exchange(ref _authenticationErrors, 0);
    }
}
