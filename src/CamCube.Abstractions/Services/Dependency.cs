namespace CamCube;

/// <summary>
/// Another service on the same server, by a shared interface (HPDC §3.1). It holds no strong path to the
/// implementation: after a restart <see cref="Value"/> is the new one, so keep it no longer than a callback. T lives in
/// a contract assembly (<c>*.Contracts</c>) that is loaded once per process. Loop only.
/// </summary>
public abstract class Dependency<T>
    where T : class
{
    /// <summary>The running implementation.</summary>
    /// <exception cref="ServiceUnavailableException">None is running here.</exception>
    public abstract T Value { get; }

    /// <summary>Whether one is running here.</summary>
    public abstract bool IsAvailable { get; }
}
