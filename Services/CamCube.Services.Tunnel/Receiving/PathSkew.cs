namespace CamCube.Services.Tunnel.Receiving;

/// <summary>
/// How long a packet from one server waits for an earlier one: twice as long as such a one lately took to come, which
/// is how far paths differ; not less than is sensible, nor longer than it may. Loop only.
/// </summary>
/// <param name="mostNanos">Longest wait.</param>
internal sealed class PathSkew(long mostNanos)
{
    // A wait that a program hardly notices, and longer than paths differ whose links are not full.
    private const long LeastNanos = 20_000_000;

    // Of a long wait little is left after as many that were short.
    private const int Remembered = 1_024;
    private long _longest;

    /// <summary>How long to wait.</summary>
    public long WaitNanos => Math.Min(mostNanos, Math.Max(LeastNanos, 2 * _longest));

    /// <summary>One came for which others waited.</summary>
    public void Came(long afterNanos) =>
        _longest = afterNanos > _longest ? afterNanos : _longest - ((_longest - afterNanos) / Remembered);

    /// <summary>One came that nobody waited for any more.</summary>
    public void CameTooLate() => _longest = Math.Min(mostNanos, WaitNanos);
}
