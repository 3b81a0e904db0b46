using CamCube.Runtime;

namespace CamCube.Simulator.Seeing;

/// <summary>Makes notes of what servers tell their host, and passes it on.</summary>
/// <param name="note">Takes a note; it knows the time.</param>
/// <param name="inner">The host.</param>
internal sealed class NotedEvents(Action<Coordinate, CubeNoteKind, string> note, IServerEvents inner) : IServerEvents
{
    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart)
    {
        note(
            server,
            CubeNoteKind.ServiceFaulted,
            $"{service} faulted: {exception.GetType().Name}: {exception.Message}"
        );
        inner.ServiceFaulted(server, service, exception, willRestart);
    }

    public void ServiceRestarted(Coordinate server, string service)
    {
        note(server, CubeNoteKind.ServiceRestarted, $"{service} restarted");
        inner.ServiceRestarted(server, service);
    }

    public void ServiceMisses(Coordinate server, string service, string missing) =>
        inner.ServiceMisses(server, service, missing);

    public void AgentEnded(Coordinate server, string agent, Exception exception) =>
        inner.AgentEnded(server, agent, exception);

    public void CommandThrew(Coordinate server, string service, string command, Exception exception) =>
        inner.CommandThrew(server, service, command, exception);

    public void WorkOverran(Coordinate server, string service, string work, int lost) =>
        inner.WorkOverran(server, service, work, lost);

    public void DataFolderInUse(Coordinate server, string folder) => inner.DataFolderInUse(server, folder);

    public void TopologyChanged(Coordinate server, TopologyChange change)
    {
        note(
            server,
            CubeNoteKind.ViewChanged,
            change.Event is TopologyEvent.LinkDown or TopologyEvent.LinkUp
                ? $"{change.Event} {change.Link.Name()}"
                : $"{change.Event} {change.Server}"
        );
        inner.TopologyChanged(server, change);
    }
}
