using System.Runtime.Versioning;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Gates;

/// <summary>
/// The seat of an agent of one service at one server's gate. What the agent throws ends the agent; what it says the
/// service threw is the service's fault.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class AgentSeat<TService>(ServerGate gate, LoopAgents agents, ILoopAgent<TService> agent)
    : LoopSeat(agents, gate.Inbox)
    where TService : class
{
    private Exception? _fault;

    public override Coordinate Server => gate.Coordinate;

    public override string Service => typeof(TService).Name;

    protected override long Turn(ReadOnlySpan<LoopEvent> events)
    {
        ServerRuntime? server = gate.Inbox.Lock is null ? gate.Current : null;
        ServiceSlot? slot = server?.FindSlot(typeof(TService));
        if (server is null || slot?.Instance is not TService service)
        {
            return TurnOutside(events);
        }

        server.Now = Math.Max(server.Now, server.Context.NowNanos);
        ControlScope outer = server.EnterControl(slot.View, CallbackKind.Agent);
        try
        {
            long next = TakeTurn(service, events, server.Now);
            if (TakeFault() is { } fault)
            {
                server.Fault(slot, fault);
            }

            return next;
        }
        finally
        {
            server.LeaveControl(outer);
            server.Context.Touched(server.Rank);
        }
    }

    protected override void Note(Exception fault) => _fault ??= fault;

    // Others may be in the server meanwhile, and the agent enters it as they do; or there is none.
    private long TurnOutside(ReadOnlySpan<LoopEvent> events)
    {
        long next = TakeTurn(null, events, gate.Inbox.NowNanos());
        if (TakeFault() is { } fault && gate.Inbox.Lock is { } door)
        {
            door.Enter();
            if (gate.Current is { } server && server.FindSlot(typeof(TService)) is { } slot)
            {
                server.Fault(slot, fault);
                server.Context.Touched(server.Rank);
            }

            door.Leave();
        }

        return next;
    }

    private long TakeTurn(TService? service, ReadOnlySpan<LoopEvent> events, long now)
    {
        try
        {
            return agent.Turn(service, events, now);
        }
        catch (Exception e) when (e == _fault)
        {
            // The service's: the agent goes on at once, without it or with the next.
            return now;
        }
        catch (Exception e)
        {
            End(e);
            return long.MaxValue;
        }
    }

    private void End(Exception error)
    {
        try
        {
            agent.Ended();
        }
        catch (Exception)
        {
            // It could not even close what it had; what brought it to that is told.
        }

        Abandon();
        gate.AgentEnded?.Invoke(agent.Name, error);
    }

    private Exception? TakeFault()
    {
        Exception? fault = _fault;
        _fault = null;
        return fault;
    }
}
