namespace CamCube.Runtime.Services;

/// <summary>What the factory of a service gets: its server, and handles on other local services. Loop only.</summary>
public abstract class ServiceActivation
{
    internal ServiceActivation() { }

    /// <summary>The service's view of its server.</summary>
    public abstract IServer Server { get; }

    /// <summary>A handle on the local service that implements T; it need not run yet.</summary>
    /// <param name="isOptional">The service can do without: nobody is told if no service here implements T.</param>
    public abstract Dependency<T> Dependency<T>(bool isOptional = false)
        where T : class;
}
