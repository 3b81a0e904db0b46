namespace CamCube.Services.KeyValue.Counting;

/// <summary>How fast a sum grows: over the last five to ten seconds, or since it is looked at. Loop only.</summary>
internal sealed class FetchRate
{
    private const long WindowNanos = 5_000_000_000;
    private (long Nanos, long Sum) _before;
    private (long Nanos, long Sum) _between;

    /// <summary>The rate now, by the second. Asked at least once in five seconds.</summary>
    /// <param name="nowNanos">Server time.</param>
    /// <param name="sum">The sum.</param>
    public long Take(long nowNanos, long sum)
    {
        if (_between.Nanos == 0)
        {
            _before = _between = (nowNanos, sum);
        }

        if (nowNanos - _between.Nanos >= WindowNanos)
        {
            (_before, _between) = (_between, (nowNanos, sum));
        }

        long nanos = nowNanos - _before.Nanos;
        return nanos <= 0 ? 0 : (long)((sum - _before.Sum) * 1e9 / nanos);
    }
}
