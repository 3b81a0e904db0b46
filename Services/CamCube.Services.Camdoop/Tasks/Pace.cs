using CamCube.Services.Camdoop.Plans;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Holds a reduce to the rate that its job says, <see cref="JobDescription.ReduceRate"/>. Loop
/// only.</summary>
/// <param name="server">The server.</param>
/// <param name="bitsPerSecond">The rate; 0: none.</param>
internal sealed class Pace(IServer server, long bitsPerSecond)
{
    private const double NanosPerSecond = 1e9;
    private double _freeNanos;

    /// <summary>Waits until so many more bytes may have been taken. What was not taken in time is not caught up
    /// with.</summary>
    public async ValueTask TakeAsync(long bytes)
    {
        if (bitsPerSecond == 0)
        {
            return;
        }

        _freeNanos = Math.Max(_freeNanos, server.NowNanos) + (bytes * 8 * NanosPerSecond / bitsPerSecond);
        TimeSpan wait = TimeSpan.FromTicks((long)((_freeNanos - server.NowNanos) / TimeSpan.NanosecondsPerTick));
        if (wait > TimeSpan.Zero)
        {
            await server.DelayAsync(wait);
        }
    }
}
