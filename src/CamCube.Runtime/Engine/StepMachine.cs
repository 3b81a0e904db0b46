using System.Numerics;
using CamCube.Runtime.Memory;

namespace CamCube.Runtime.Engine;

/// <summary>
/// The duty cycle of a server on cables: receive, timers, deferred work, serve links, flush. It reads no clock and
/// never sleeps: who runs it says the time and gets the next deadline. Receiving is bounded so that links always get
/// their turn. No link waits for another link's buffer (full means drop, counted), which is why a torus of these cannot
/// deadlock.
/// </summary>
internal sealed class StepMachine(ServerRuntime server)
{
    private readonly FramePort _port = new(server);

    /// <summary>What the links tell, and encode with.</summary>
    public ILinkEvents Port => _port;

    /// <summary>Frames taken per link and step.</summary>
    public int ReceiveBudget { get; init; } = 32;

    /// <summary>One step at a time. Returns how much was done; 0 = nothing to do before the deadline.</summary>
    public int Step(long now, out long deadline)
    {
        int work = 0;
        try
        {
            work = Run(now);
        }
        catch (Exception e)
        {
            if (!ServerLifecycle.TryContain(server, e))
            {
                throw;
            }

            work = 1;
        }

        deadline = server.Hot.Ref.Next();
        return work;
    }

    private int Run(long now)
    {
        server.Now = now;
        int work = server.Driver.Receive(_port, ReceiveBudget, now);
        ref HotState h = ref server.Hot.Ref;
        if (h.When[HotState.TimerLane] <= now)
        {
            work += server.RunTimers(now);
        }

        if (h.When[HotState.DeferredLane] <= now)
        {
            work += server.RunDeferred(now);
        }

        for (uint wait = h.Wait; wait != 0; wait &= wait - 1)
        {
            int link = BitOperations.TrailingZeroCount(wait);
            if (h.Busy[link] <= now)
            {
                work += server.ServeLink(link, now);
            }
        }

        server.Driver.Flush(now);
        return work;
    }
}
