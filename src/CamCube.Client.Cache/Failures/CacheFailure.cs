namespace CamCube.Client.Cache;

/// <summary>Why an operation failed.</summary>
public enum CacheFailure
{
    /// <summary>No server could be reached, or none answered in time.</summary>
    NoServer,

    /// <summary>The servers that were asked answered with an error.</summary>
    Refused,

    /// <summary>The value is larger than a server, or <see cref="CamCubeCacheOptions.MaxValueLength"/>,
    /// takes.</summary>
    TooLarge,
}
