namespace CamCube.Services.Tunnel.Sending;

/// <summary>
/// Controlled delay (RFC 8289): a queue that has been longer than a target for a whole interval does not go away by
/// itself, so one packet is marked or dropped, then the next ones sooner and sooner until senders have slowed down. It
/// goes by the time that packets wait, so it needs to know no rate. Loop only.
/// </summary>
internal struct Codel
{
    // Who has to begin again so soon begins with the pace it had.
    private const int SoonIntervals = 16;
    private long _longSinceNanos;
    private long _nextNanos;
    private uint _count;
    private uint _firstCount;
    private bool _isActing;

    /// <summary>Judges a packet as it comes to the head of its queue.</summary>
    /// <param name="terms">Settings.</param>
    /// <param name="waitedNanos">How long it waited.</param>
    /// <param name="bytesBehind">What still waits behind it.</param>
    /// <param name="canBeMarked">Whether its sender understands marks.</param>
    /// <param name="nowNanos">Server time.</param>
    public CodelFate Judge(CodelTerms terms, long waitedNanos, int bytesBehind, bool canBeMarked, long nowNanos)
    {
        bool isLong = IsLong(terms, waitedNanos, bytesBehind, nowNanos);
        if (!isLong)
        {
            _isActing = false;
            return CodelFate.Keep;
        }

        if (!_isActing)
        {
            _isActing = true;
            uint acts = _count - _firstCount;
            _count = acts > 1 && nowNanos - _nextNanos < SoonIntervals * terms.IntervalNanos ? acts : 1;
            _firstCount = _count;
            _nextNanos = nowNanos + Pause(terms);
        }
        else if (nowNanos >= _nextNanos)
        {
            _count++;
            _nextNanos += Pause(terms);
        }
        else
        {
            return CodelFate.Keep;
        }

        return canBeMarked ? CodelFate.Mark : CodelFate.Drop;
    }

    private readonly long Pause(CodelTerms terms) => (long)(terms.IntervalNanos / Math.Sqrt(_count));

    // Longer than the target, and for an interval.
    private bool IsLong(CodelTerms terms, long waitedNanos, int bytesBehind, long nowNanos)
    {
        if (waitedNanos < terms.TargetNanos || bytesBehind <= terms.LeastBytes)
        {
            _longSinceNanos = 0;
            return false;
        }

        if (_longSinceNanos == 0)
        {
            _longSinceNanos = nowNanos;
            return false;
        }

        return nowNanos - _longSinceNanos >= terms.IntervalNanos;
    }
}
