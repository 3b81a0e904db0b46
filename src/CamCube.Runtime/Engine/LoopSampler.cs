using CamCube.Runtime.Loop;
using CamCube.Runtime.Watching;

namespace CamCube.Runtime.Engine;

/// <summary>
/// Looks at one loop from another thread: whether it turns, and in which service's code it is. The loop does nothing
/// for it but count its turns, so a packet costs the same with and without a watch: which service runs is written for
/// containment anyway, and what of it only by control work. One thread looks; it gives its own time, which stands still
/// while that thread does, so that a stopped process or a garbage collection is not taken for a callback that runs
/// long.
/// </summary>
/// <param name="inbox">The loop's.</param>
/// <param name="pulse">The loop's.</param>
/// <param name="servers">How many servers it drives.</param>
/// <param name="serverAt">The server at a place from 0 on, null while it is stopped; called by the thread that
/// looks.</param>
/// <param name="isVirtual">Whether the servers' time is virtual: then nothing of real time is written down in
/// them.</param>
internal sealed class LoopSampler(
    LoopInbox inbox,
    LoopPulse pulse,
    int servers,
    Func<int, ServerRuntime?> serverAt,
    bool isVirtual = false
)
{
    private long _turns = -1;
    private long _turnSince;
    private Seen _seen;
    private long _seenSince;

    /// <summary>One look. Writes down the longest time for which it saw each service in one callback.</summary>
    /// <param name="nanos">The looking thread's own time.</param>
    public LoopSight Look(long nanos)
    {
        LoopPhase phase = pulse.Phase;
        long turns = pulse.Turns;
        bool isAsleep = phase == LoopPhase.Runs && inbox.IsAsleep;
        Seen seen = isAsleep || phase != LoopPhase.Runs ? default : Find();
        if (turns != _turns || phase != LoopPhase.Runs)
        {
            // Whoever is seen in a turn that has just begun is told of by the next look, if it is still in it.
            (_turns, _turnSince, _seen, _seenSince) = (turns, nanos, pulse.Turns == turns ? seen : default, nanos);
            return new LoopSight(phase, 0, null) { IsAsleep = isAsleep };
        }

        if (seen != _seen || pulse.Turns != turns)
        {
            (_seen, _seenSince) = (seen, nanos);
        }

        long ran = nanos - _seenSince;
        if (_seen.Slot is { } slot && !isVirtual)
        {
            slot.MaxCallbackNanos = Math.Max(slot.MaxCallbackNanos, ran);
        }

        return new LoopSight(phase, nanos - _turnSince, _seen.Sight(ran)) { IsAsleep = isAsleep };
    }

    private Seen Find()
    {
        for (int i = 0; i < servers; i++)
        {
            if (serverAt(i) is { } server && server.RunningNow() is (ServiceSlot slot, CallbackKind kind, long number))
            {
                return new Seen(server, slot, null, kind, number);
            }
        }

        return OperatingSystem.IsLinux() && inbox.Agents is { Turning: { } seat } agents
            ? new Seen(null, null, seat, CallbackKind.Agent, agents.Turns)
            : default;
    }

    /// <summary>A callback: whose, what of it, and which one.</summary>
    private readonly record struct Seen(
        ServerRuntime? Server,
        ServiceSlot? Slot,
        LoopSeat? Seat,
        CallbackKind Kind,
        long Number
    )
    {
        public CallbackSight? Sight(long nanos)
        {
            if (Slot is not null)
            {
                return new CallbackSight(Server!.Coordinate, Slot.Definition.Name, NameOf(Kind), nanos);
            }

            return OperatingSystem.IsLinux() && Seat is not null
                ? new CallbackSight(Seat.Server, Seat.Service, NameOf(Kind), nanos)
                : null;
        }

        private static string NameOf(CallbackKind kind) =>
            kind switch
            {
                CallbackKind.Constructor => "constructor",
                CallbackKind.OnReturning => "OnReturningAsync",
                CallbackKind.OnStopping => "OnStoppingAsync",
                CallbackKind.Timer => "timer",
                CallbackKind.Work => "work",
                CallbackKind.Call => "call",
                CallbackKind.Agent => "agent",
                _ => kind.ToString(),
            };
    }
}
