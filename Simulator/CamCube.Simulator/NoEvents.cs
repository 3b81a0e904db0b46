using CamCube.Runtime;

namespace CamCube.Simulator;

/// <summary>Nobody wants to hear.</summary>
internal sealed class NoEvents : IServerEvents
{
    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) { }

    public void ServiceRestarted(Coordinate server, string service) { }

    public void TopologyChanged(Coordinate server, TopologyChange change) { }
}
