using CamCube.Runtime;

namespace CamCube.Testing;

/// <summary>Keeps what servers tell.</summary>
internal sealed class TestEvents : IServerEvents
{
    public List<ServiceFault> Faults { get; } = [];

    public List<ViewChange> Changes { get; } = [];

    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        Faults.Add(new ServiceFault(server, service, exception, willRestart));

    public void ServiceRestarted(Coordinate server, string service) { }

    public void TopologyChanged(Coordinate server, TopologyChange change) =>
        Changes.Add(new ViewChange(server, change));
}
