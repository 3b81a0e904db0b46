namespace CamCube.Runtime.Engine;

/// <summary>
/// The host's events, which may come in the middle of anything: what they throw is no service's fault and must not break off what goes on.
/// It ends the loop after the step (<see cref="CubeContext.ThrowOwnError"/>).
/// </summary>
internal sealed class GuardedEvents(IServerEvents inner, CubeContext context) : IServerEvents
{
    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart)
    {
        try
        {
            inner.ServiceFaulted(server, service, exception, willRestart);
        }
        catch (Exception e)
        {
            context.Failed(e);
        }
    }

    public void ServiceRestarted(Coordinate server, string service)
    {
        try
        {
            inner.ServiceRestarted(server, service);
        }
        catch (Exception e)
        {
            context.Failed(e);
        }
    }

    public void AgentEnded(Coordinate server, string agent, Exception exception)
    {
        try
        {
            inner.AgentEnded(server, agent, exception);
        }
        catch (Exception e)
        {
            context.Failed(e);
        }
    }

    public void CommandThrew(Coordinate server, string service, string command, Exception exception)
    {
        try
        {
            inner.CommandThrew(server, service, command, exception);
        }
        catch (Exception e)
        {
            context.Failed(e);
        }
    }

    public void TopologyChanged(Coordinate server, TopologyChange change)
    {
        try
        {
            inner.TopologyChanged(server, change);
        }
        catch (Exception e)
        {
            context.Failed(e);
        }
    }

    public void WorkOverran(Coordinate server, string service, string work, int lost)
    {
        try
        {
            inner.WorkOverran(server, service, work, lost);
        }
        catch (Exception e)
        {
            context.Failed(e);
        }
    }

    public void DataFolderInUse(Coordinate server, string folder)
    {
        try
        {
            inner.DataFolderInUse(server, folder);
        }
        catch (Exception e)
        {
            context.Failed(e);
        }
    }
}
