namespace CamCube.Runtime.Services;

/// <summary>What the factory of a service gets: its server, and handles on other local services. Loop only.</summary>
public abstract class ServiceActivation
{
    internal ServiceActivation() { }

    /// <summary>The service's view of its server.</summary>
    public abstract IServer Server { get; }

    /// <summary>A handle on the local service that implements T; it need not run yet.</summary>
    public abstract Dependency<T> Dependency<T>()
        where T : class;
}
