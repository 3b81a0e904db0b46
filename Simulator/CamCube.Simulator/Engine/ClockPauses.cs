using CamCube.Runtime.Engine;

namespace CamCube.Simulator.Engine;

/// <summary>Servers that are to stand still in front of their next reading of the clock. Set between advances, read by
/// each server's own partition.</summary>
internal sealed class ClockPauses(int servers)
{
    private readonly long[] _nanos = new long[servers];

    public void Set(int rank, TimeSpan duration)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(duration, TimeSpan.Zero);
        _nanos[rank] = duration.Ticks * 100;
    }

    public long Read(ServerRuntime server)
    {
        long nanos = _nanos[server.Rank];
        if (nanos > 0)
        {
            _nanos[server.Rank] = 0;
            server.StandStill(nanos);
        }

        return server.Clock is { } clock ? clock.Read(server.Now) : server.Now;
    }
}
