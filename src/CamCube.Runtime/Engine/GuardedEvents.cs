namespace CamCube.Runtime.Engine;

/// <summary>
/// The host's events, which may come in the middle of anything: what they throw is no service's fault and must not
/// break off what goes on. It ends the loop after the step (<see cref="CubeContext.ThrowOwnError"/>).
/// </summary>
internal sealed class GuardedEvents(IServerEvents inner, CubeContext context) : IServerEvents
{
    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        Tell(
            (server, service, exception, willRestart),
            static (events, e) => events.ServiceFaulted(e.server, e.service, e.exception, e.willRestart)
        );

    public void ServiceRestarted(Coordinate server, string service) =>
        Tell((server, service), static (events, e) => events.ServiceRestarted(e.server, e.service));

    public void ServiceMisses(Coordinate server, string service, string missing) =>
        Tell((server, service, missing), static (events, e) => events.ServiceMisses(e.server, e.service, e.missing));

    public void AgentEnded(Coordinate server, string agent, Exception exception) =>
        Tell((server, agent, exception), static (events, e) => events.AgentEnded(e.server, e.agent, e.exception));

    public void CommandThrew(Coordinate server, string service, string command, Exception exception) =>
        Tell(
            (server, service, command, exception),
            static (events, e) => events.CommandThrew(e.server, e.service, e.command, e.exception)
        );

    public void TopologyChanged(Coordinate server, TopologyChange change) =>
        Tell((server, change), static (events, e) => events.TopologyChanged(e.server, e.change));

    public void WorkOverran(Coordinate server, string service, string work, int lost) =>
        Tell(
            (server, service, work, lost),
            static (events, e) => events.WorkOverran(e.server, e.service, e.work, e.lost)
        );

    public void DataFolderInUse(Coordinate server, string folder) =>
        Tell((server, folder), static (events, e) => events.DataFolderInUse(e.server, e.folder));

    private void Tell<TEvent>(TEvent what, Action<IServerEvents, TEvent> tell)
    {
        try
        {
            tell(inner, what);
        }
        catch (Exception e)
        {
            context.Failed(e);
        }
    }
}
