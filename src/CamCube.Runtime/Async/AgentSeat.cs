using System.Runtime.Versioning;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Async;

/// <summary>The seat of an agent of one service at one server's gate.</summary>
[SupportedOSPlatform("linux")]
internal sealed class AgentSeat<TService>(ServerGate gate, LoopAgents agents, ILoopAgent<TService> agent) : LoopSeat(agents, gate.Inbox)
    where TService : class
{
    public override Coordinate Server => gate.Coordinate;

    public override string Service => typeof(TService).Name;

    protected override long Turn(ReadOnlySpan<LoopEvent> events)
    {
        if (gate.Inbox.Lock is { } door)
        {
            return TurnOutside(door, events);
        }

        ServerRuntime? server = gate.Current;
        ServiceSlot? slot = server?.FindSlot(typeof(TService));
        if (server is null || slot?.Instance is not TService service)
        {
            return agent.Turn(null, events, gate.Inbox.NowNanos());
        }

        server.Now = Math.Max(server.Now, server.Context.NowNanos);
        ControlScope outer = server.EnterControl(slot.View, CallbackKind.Agent);
        try
        {
            return agent.Turn(service, events, server.Now);
        }
        catch (Exception e)
        {
            server.Fault(slot, e);
            return server.Now;
        }
        finally
        {
            server.LeaveControl(outer);
            server.Context.Touched(server.Rank);
        }
    }

    // Others may be in the server meanwhile: the agent enters it as they do.
    private long TurnOutside(LoopLock door, ReadOnlySpan<LoopEvent> events)
    {
        long now = gate.Inbox.NowNanos();
        try
        {
            return agent.Turn(null, events, now);
        }
        catch (Exception e)
        {
            door.Enter();
            if (gate.Current is { } server && server.FindSlot(typeof(TService)) is { } slot)
            {
                server.Fault(slot, e);
                server.Context.Touched(server.Rank);
            }

            door.Leave();
            return now;
        }
    }
}
