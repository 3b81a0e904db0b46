namespace CamCube.Client.Cache;

/// <summary>What a write does when the value is larger than the server, or the client, takes.</summary>
public enum OversizeBehavior
{
    /// <summary>It removes the entry that the value should have replaced and throws
    /// <see cref="CamCubeCacheException"/>.</summary>
    Throw,

    /// <summary>It removes the entry that the value should have replaced, logs a warning and counts an error.</summary>
    Drop,
}
