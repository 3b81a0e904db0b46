using System.Runtime.Versioning;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Engine;

/// <summary>The seat of an agent that a service has in its own server's loop. It ends with the instance, which need not
/// forget what it watches before: after a fault nobody would.</summary>
[SupportedOSPlatform("linux")]
internal sealed class ServiceSeat(ServiceView view, LoopAgents agents, IServerAgent agent)
    : LoopSeat(agents, view.Runtime.Context.Inbox)
{
    public override Coordinate Server => view.Coordinate;

    public override string Service => view.Slot.Definition.Name;

    /// <summary>The instance has ended: no turn comes any more.</summary>
    public void End() => Abandon();

    protected override void Note(Exception fault) => view.Runtime.FaultOf(view, fault);

    protected override long Turn(ReadOnlySpan<LoopEvent> events)
    {
        ServerRuntime server = view.Runtime;
        LoopLock? door = server.Context.Inbox.Lock;
        door?.Enter();
        server.Now = Math.Max(server.Now, server.Context.NowNanos);
        ControlScope outer = server.EnterControl(view, CallbackKind.Agent);
        try
        {
            return view.IsStopped ? long.MaxValue : agent.Turn(events, server.ClockNow);
        }
        catch (Exception e)
        {
            server.FaultOf(view, e);
            return long.MaxValue;
        }
        finally
        {
            server.LeaveControl(outer);
            server.Context.Touched(server.Rank);
            door?.Leave();
        }
    }
}
