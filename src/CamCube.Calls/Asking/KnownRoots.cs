namespace CamCube.Calls;

/// <summary>
/// What an asking server knows about servers that answered it: their run, and how far their clock is ahead of its own,
/// at least. A deadline on the root's clock made with it is never later than the asking server means, for the root's
/// clock was read before its answer travelled. Loop only.
/// </summary>
internal sealed class KnownRoots
{
    // Clocks of two servers may drift apart by 100 ppm: 3 ms in this time.
    private const long TrustedNanos = 30_000_000_000;
    private readonly Dictionary<Coordinate, Known> _known = [];

    /// <summary>A server answered.</summary>
    public void Learn(Coordinate server, in RootStamp root, long nowNanos) =>
        _known[server] = new Known(root.Run, root.NowNanos - nowNanos, nowNanos);

    /// <summary>A server was lost: its next run is not known.</summary>
    public void Forget(Coordinate server) => _known.Remove(server);

    /// <summary>Its run and the lower bound of its clock's lead; false if nothing fresh is known.</summary>
    public bool TryGet(Coordinate server, long nowNanos, out ulong run, out long aheadNanos)
    {
        bool found = _known.TryGetValue(server, out Known known) && nowNanos - known.LearnedNanos < TrustedNanos;
        (run, aheadNanos) = found ? (known.Run, known.AheadNanos) : (0, 0);
        return found;
    }

    private readonly record struct Known(ulong Run, long AheadNanos, long LearnedNanos);
}
