using CamCube.Runtime;

namespace CamCube.Simulator;

/// <summary>The events of several threads, one after the other.</summary>
internal sealed class OneAtATimeEvents(IServerEvents events) : IServerEvents
{
    private readonly Lock _lock = new();

    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        Tell(() => events.ServiceFaulted(server, service, exception, willRestart));

    public void ServiceRestarted(Coordinate server, string service) =>
        Tell(() => events.ServiceRestarted(server, service));

    public void ServiceMisses(Coordinate server, string service, string missing) =>
        Tell(() => events.ServiceMisses(server, service, missing));

    public void AgentEnded(Coordinate server, string agent, Exception exception) =>
        Tell(() => events.AgentEnded(server, agent, exception));

    public void CommandThrew(Coordinate server, string service, string command, Exception exception) =>
        Tell(() => events.CommandThrew(server, service, command, exception));

    public void TopologyChanged(Coordinate server, TopologyChange change) =>
        Tell(() => events.TopologyChanged(server, change));

    public void WorkOverran(Coordinate server, string service, string work, int lost) =>
        Tell(() => events.WorkOverran(server, service, work, lost));

    public void DataFolderInUse(Coordinate server, string folder) => Tell(() => events.DataFolderInUse(server, folder));

    private void Tell(Action tell)
    {
        lock (_lock)
        {
            tell();
        }
    }
}
