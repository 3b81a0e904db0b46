using CamCube.Services.Cache;
using CamCube.Simulator.Checkers;

namespace CamCube.Tool.Swarm;

/// <summary>
/// One counter of the cache that only one client changes (docs/cache.md, guarantee 2): it counts each increment at most once, so it is what
/// was counted last, or gone, and may be one more after an increment whose answer was lost.
/// </summary>
/// <param name="key">The counter's key.</param>
internal sealed class CacheCounting(string key) : Checker("cache-at-most-once")
{
    private bool _isUncertain;

    /// <summary>The key.</summary>
    public string Key => key;

    /// <summary>Whether it stands, as far as the client knows: otherwise it is set to 0 next.</summary>
    public ulong? Count { get; private set; }

    /// <summary>An operation on it ended.</summary>
    public void End(CacheOperation operation, CacheReply reply, bool isGone, long nanos)
    {
        Checks++;
        if (isGone)
        {
            (Count, _isUncertain) = (null, false);
        }
        else if (reply.Status == CacheStatus.Done && operation == CacheOperation.Set)
        {
            (Count, _isUncertain) = (0, false);
        }
        else if (reply.Status == CacheStatus.Done)
        {
            ulong expected = Count!.Value + 1;
            if (reply.Number != expected && !(_isUncertain && reply.Number == expected + 1))
            {
                Fail(nanos, $"{key} is {reply.Number} after an increment, but should be {expected}{(_isUncertain ? " or one more" : "")}.");
            }

            (Count, _isUncertain) = (reply.Number, false);
        }
        else if (reply.Status == CacheStatus.NotFound)
        {
            (Count, _isUncertain) = (null, false);
        }
        else if (reply.Status == CacheStatus.TimedOut)
        {
            // Twice uncertain is too much to know: it begins again.
            Count = _isUncertain ? null : Count;
            _isUncertain = Count is not null;
        }
    }
}
