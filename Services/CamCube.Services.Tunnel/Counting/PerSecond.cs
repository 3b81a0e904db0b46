namespace CamCube.Services.Tunnel.Counting;

/// <summary>So many in each second of server time, and no more. Loop only.</summary>
internal struct PerSecond(int most)
{
    private const long NanosPerSecond = 1_000_000_000;
    private long _second = -1;
    private int _taken;

    /// <summary>Whether one more may be; it is then taken.</summary>
    public bool TryTake(long nowNanos)
    {
        long second = nowNanos / NanosPerSecond;
        (_second, _taken) = second == _second ? (second, _taken) : (second, 0);
        if (_taken >= most)
        {
            return false;
        }

        _taken++;
        return true;
    }
}
