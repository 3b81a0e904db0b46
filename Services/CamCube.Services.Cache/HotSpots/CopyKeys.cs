namespace CamCube.Services.Cache.HotSpots;

/// <summary>
/// The k extra keys of an item (HPDC §5.1): spread over the cube evenly and independently of one another, the same on
/// every server.
/// </summary>
internal static class CopyKeys
{
    /// <summary>One of an item's extra keys.</summary>
    /// <param name="memId">The item's own key.</param>
    /// <param name="number">Which: from 1.</param>
    public static Key Of(Key memId, int number) =>
        memId with
        {
            Route = Mix(memId.Middle ^ Mix(memId.Route + (ulong)number)),
        };

    /// <summary>The finisher of SplitMix64: every bit of the result depends on every bit of the argument.</summary>
    public static ulong Mix(ulong x)
    {
        x += 0x9E3779B97F4A7C15;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
        return x ^ (x >> 31);
    }
}
