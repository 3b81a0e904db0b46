using CamCube.Runtime;

namespace CamCube.Testing;

/// <summary>Nobody is told of what servers tell.</summary>
public sealed class NoEvents : IServerEvents
{
    /// <inheritdoc/>
    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) { }

    /// <inheritdoc/>
    public void ServiceRestarted(Coordinate server, string service) { }

    /// <inheritdoc/>
    public void TopologyChanged(Coordinate server, TopologyChange change) { }
}
