using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Async;

/// <summary>The seat of an agent that a service has in its own server's loop. It ends with the instance, which need not forget what it watches
/// before: after a fault nobody would.</summary>
[SupportedOSPlatform("linux")]
internal sealed class ServiceSeat(ServiceView view, LoopAgents agents, IServerAgent agent) : LoopSeat(agents, view.Runtime.Context.Inbox)
{
    private readonly Dictionary<int, SafeHandle> _watched = [];

    public override Coordinate Server => view.Coordinate;

    public override string Service => view.Slot.Definition.Name;

    /// <summary>The instance has ended: no turn comes any more.</summary>
    public void End()
    {
        foreach ((int number, SafeHandle descriptor) in _watched)
        {
            Agents.Forget(descriptor, number);
        }

        _watched.Clear();
        Leave();
    }

    protected override void Watched(int number, SafeHandle descriptor) => _watched.Add(number, descriptor);

    protected override void Forgotten(int number) => _watched.Remove(number);

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
