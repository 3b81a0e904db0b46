using CamCube.Services.Tunnel.Counting;

namespace CamCube.Services.Tunnel.Flooding;

/// <summary>Which frames for all came of one sender, so that none comes twice. Loop only; allocates nothing.</summary>
internal sealed class FloodWindow(ushort run, int perSecond)
{
    // A sender's second is not ours.
    private const int Seconds = 2;
    private const int Remembered = 1_024;

    // Longer than a packet is on its way.
    private const long QuietNanos = 1_000_000_000;
    private readonly ulong[] _came = new ulong[Remembered / 64];
    private PerSecond _allowed = new(Seconds * perSecond);
    private ushort _run = run;
    private ushort? _past;
    private ushort _newest;
    private bool _hasBegun;
    private long _lastNanos;

    /// <summary>A frame came. Whether it is one that had not come before.</summary>
    public FloodArrival Take(ushort run, ushort sequence, long nowNanos)
    {
        if (run != _run)
        {
            if (run == _past && nowNanos - _lastNanos < QuietNanos)
            {
                return FloodArrival.Stale;
            }

            (_past, _run, _hasBegun) = (_run, run, false);
        }

        if (!_hasBegun)
        {
            (_hasBegun, _newest) = (true, sequence);
            Array.Clear(_came);
        }

        _lastNanos = nowNanos;
        short ahead = (short)(sequence - _newest);
        if (ahead <= -Remembered)
        {
            return FloodArrival.Repeated;
        }

        for (; ahead > 0; ahead--)
        {
            _newest++;
            Word(_newest) &= ~Bit(_newest);
        }

        if ((Word(sequence) & Bit(sequence)) != 0)
        {
            return FloodArrival.Repeated;
        }

        Word(sequence) |= Bit(sequence);
        return _allowed.TryTake(nowNanos) ? FloodArrival.New : FloodArrival.TooMany;
    }

    private ref ulong Word(ushort sequence) => ref _came[sequence % Remembered / 64];

    private static ulong Bit(ushort sequence) => 1ul << (sequence % 64);
}
