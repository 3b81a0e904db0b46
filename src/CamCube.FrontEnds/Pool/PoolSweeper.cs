using CamCube.FrontEnds.Connections;
using CamCube.FrontEnds.Settings;

namespace CamCube.FrontEnds.Pool;

/// <summary>
/// Looks at the clients on pool threads now and then, and has those closed that outstay a time limit. Its timer runs
/// only while there are such clients. Any thread.
/// </summary>
internal sealed class PoolSweeper : IDisposable
{
    private static readonly TimeSpan ShortestPeriod = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestPeriod = TimeSpan.FromSeconds(10);

    private readonly ListenerContext _context;
    private readonly TimeSpan _period;
    private readonly ITimer? _timer;
    private int _isArmed;

    /// <summary>At rest until <see cref="Watch"/>.</summary>
    public PoolSweeper(ListenerContext context)
    {
        _context = context;
        ConnectionOptions options = context.Options;
        int[] limits =
        [
            options.IdleTimeout,
            options.StallTimeout,
            context.Tls is null ? 0 : options.TlsHandshakeTimeout,
        ];
        int shortest = limits.Where(limit => limit > 0).DefaultIfEmpty(0).Min();
        if (shortest == 0)
        {
            return;
        }

        // A few times within the shortest limit, so that nobody outstays his by much.
        TimeSpan period = TimeSpan.FromSeconds(shortest) / 4;
        _period =
            period < ShortestPeriod ? ShortestPeriod
            : period > LongestPeriod ? LongestPeriod
            : period;
        _timer = context.Time.CreateTimer(
            static state => ((PoolSweeper)state!).Sweep(),
            this,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan
        );
    }

    /// <summary>There is a client.</summary>
    public void Watch()
    {
        if (_timer is not null && Interlocked.Exchange(ref _isArmed, 1) == 0)
        {
            _timer.Change(_period, Timeout.InfiniteTimeSpan);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _timer?.Dispose();

    private void Sweep()
    {
        // Disarmed before it looks: a client that comes now arms it, or is seen.
        Volatile.Write(ref _isArmed, 0);
        bool isNeeded = false;
        foreach (PoolConnection client in _context.Connections.ToArray().OfType<PoolConnection>())
        {
            isNeeded = true;
            client.CheckTime();
        }

        if (isNeeded)
        {
            Watch();
        }
    }
}
