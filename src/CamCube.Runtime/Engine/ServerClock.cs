namespace CamCube.Runtime.Engine;

/// <summary>
/// A server's clock that is wrong: what its services read, as a function of true time. It never runs backwards: after a
/// step back it runs at half speed until it is right again. Immutable. Servers without one read true time.
/// </summary>
internal sealed class ServerClock
{
    private const int Million = 1_000_000;
    private readonly long _begin;
    private readonly long _target;
    private readonly long _slewed;
    private readonly int _speed;

    /// <summary>A clock that is to show another time from a moment on.</summary>
    /// <param name="begin">The moment, in true time.</param>
    /// <param name="target">What it is to show then.</param>
    /// <param name="shown">What it showed at that moment; long.MinValue = nobody had read it.</param>
    /// <param name="driftPartsPerMillion">How much faster it runs; more than −1,000,000.</param>
    public ServerClock(long begin, long target, long shown, int driftPartsPerMillion) =>
        (_begin, _target, _slewed, _speed) = (begin, target, Math.Max(shown, target), Million + driftPartsPerMillion);

    /// <summary>What services read at a true time.</summary>
    public long Read(long trueNanos)
    {
        long passed = trueNanos - _begin;
        return passed <= 0
            ? _slewed + passed
            : Math.Max(_target + Scale(passed, _speed, Million), _slewed + (passed / 2));
    }

    /// <summary>The first true time at which services read at least this.</summary>
    public long TrueTimeOf(long readNanos)
    {
        if (readNanos <= _slewed)
        {
            return _begin + (readNanos - _slewed);
        }

        Int128 straight = (((Int128)(readNanos - _target) * Million) + _speed - 1) / _speed;
        Int128 slewed = (Int128)(readNanos - _slewed) * 2;
        return _begin + (long)Int128.Min(Int128.Min(straight, slewed), long.MaxValue / 2);
    }

    private static long Scale(long value, int by, int over) => (long)((Int128)value * by / over);
}
