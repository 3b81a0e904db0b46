namespace CamCube.Client.Cache;

/// <summary>An operation of the cache failed. The message says what was tried and what the last server
/// answered.</summary>
public sealed class CamCubeCacheException : Exception
{
    /// <summary>Creates one.</summary>
    /// <param name="failure">The kind of failure.</param>
    /// <param name="message">What happened, for a person.</param>
    public CamCubeCacheException(CacheFailure failure, string message)
        : base(message) => Failure = failure;

    /// <summary>The kind of failure.</summary>
    public CacheFailure Failure { get; }
}
