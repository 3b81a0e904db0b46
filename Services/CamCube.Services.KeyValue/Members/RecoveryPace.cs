namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// Holds back what this server fetches for recovery while clients are served: by itself, or by a server that it shares
/// groups with and fetches from. While nobody is served it goes as fast as links and disks are. Loop only.
/// </summary>
/// <param name="server">The server.</param>
/// <param name="bytesPerSecond">How much is fetched while clients are served; 0: it is never held back.</param>
internal sealed class RecoveryPace(IServer server, long bytesPerSecond)
{
    // For so long after a request clients are served.
    private const long ServedNanos = 1_000_000_000;

    // Who waits looks at least so often whether clients are still served.
    private const long LookNanos = 50_000_000;
    private const long Never = long.MinValue / 2;
    private long _servedNanos = Never;
    private long _heardNanos = Never;
    private long _freeNanos = Never;

    /// <summary>This server serves clients.</summary>
    public bool IsServing => server.NowNanos - _servedNanos < ServedNanos;

    /// <summary>What is fetched is held back now.</summary>
    public bool IsHeld => bytesPerSecond > 0 && (IsServing || server.NowNanos - _heardNanos < ServedNanos);

    /// <summary>When the next bytes may be asked for, while it is held back.</summary>
    public long FreeNanos => Math.Max(_freeNanos, server.NowNanos);

    /// <summary>More may be asked for at once.</summary>
    public bool MayGo => !IsHeld || _freeNanos <= server.NowNanos;

    /// <summary>A client's request is here.</summary>
    public void Served() => _servedNanos = server.NowNanos;

    /// <summary>Another server says that it serves clients.</summary>
    public void HeardServing() => _heardNanos = server.NowNanos;

    /// <summary>Bytes are asked for, or fewer come than were asked for.</summary>
    public void Take(int bytes)
    {
        if (IsHeld)
        {
            _freeNanos = FreeNanos + (long)(bytes * 1e9 / bytesPerSecond);
        }
    }

    /// <summary>Waits until bytes may be asked for; in the order of calls.</summary>
    /// <returns>False: the service stops.</returns>
    public async ValueTask<bool> TakeAsync(int bytes)
    {
        long turn = FreeNanos;
        Take(bytes);
        while (IsHeld && server.NowNanos < turn)
        {
            long wait = Math.Min(LookNanos, turn - server.NowNanos);
            if (!await server.DelayAsync(TimeSpan.FromMicroseconds((wait + 999) / 1_000)))
            {
                return false;
            }
        }

        return true;
    }
}
