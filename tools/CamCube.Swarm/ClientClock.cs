using CamCube.Simulator.Swarm;

namespace CamCube.Swarm;

/// <summary>How long an operation took at most, by the clock of the server that a client asked: more exact than a look
/// at it each millisecond.</summary>
internal static class ClientClock
{
    /// <summary>At most so long, in true nanoseconds. Where clocks drift it is not known by them: one that is set while
    /// it is ahead runs at half speed until it is right, so only the look says it.</summary>
    /// <param name="options">The run.</param>
    /// <param name="tookNanos">How long it took by the server's clock, which is behind by what the server did since its
    /// last step.</param>
    public static long MostNanos(SwarmOptions options, long tookNanos) =>
        options.Has(FaultKind.ClockDrift) ? long.MaxValue / 2 : tookNanos + (tookNanos / 4_000) + 1_000;
}
