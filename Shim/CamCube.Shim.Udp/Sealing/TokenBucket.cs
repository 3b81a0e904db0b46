namespace CamCube.Shim.Udp.Sealing;

/// <summary>Bounds how often something is done that strangers can ask for. Not thread-safe.</summary>
/// <param name="burst">How often at once after a quiet time.</param>
/// <param name="nanosPerToken">How long it takes until it may be done once more.</param>
internal sealed class TokenBucket(int burst, long nanosPerToken)
{
    /// <summary>When the bucket would be full again.</summary>
    private long _fullAt = long.MinValue;

    /// <summary>Whether it may be done now; if so, it counts as done.</summary>
    public bool TryTake(long now)
    {
        long from = Math.Max(_fullAt, now);
        if (from - now > (burst - 1) * nanosPerToken)
        {
            return false;
        }

        _fullAt = from + nanosPerToken;
        return true;
    }
}
