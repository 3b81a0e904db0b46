using CamCube.Runtime;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>Nobody is told of what servers tell.</summary>
internal sealed class NoEvents : IServerEvents
{
    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart)
    {
    }

    public void ServiceRestarted(Coordinate server, string service)
    {
    }

    public void TopologyChanged(Coordinate server, TopologyChange change)
    {
    }
}
