using CamCube.Services.Cache;
using CamCube.Simulator.Checkers;

namespace CamCube.Swarm.Histories;

/// <summary>
/// One counter of the cache that only one client changes (docs/cache.md, guarantees 2 and 3): it counts each increment
/// at most once, so it is what was counted last, or gone, and may be one more after an increment whose answer was lost.
/// What a client had asked for when its server stopped may still be done, once, until its attempt's deadline; so it may
/// also come after what the client does next.
/// </summary>
/// <param name="key">The counter's key.</param>
/// <param name="attemptNanos">How long after it was sent an attempt may be done at most.</param>
public sealed class CacheCounting(string key, long attemptNanos) : Checker("cache-at-most-once")
{
    // Asked for through servers that stopped, in the order in which that was.
    private readonly List<(bool IsSet, long Until)> _late = [];
    private bool _isUncertain;

    /// <summary>The key.</summary>
    public string Key => key;

    /// <summary>Whether it stands, as far as the client knows: otherwise it is set to 0 next.</summary>
    public ulong? Count { get; private set; }

    /// <summary>An operation on it ended.</summary>
    /// <param name="operation">Set to 0, or an increment by 1.</param>
    /// <param name="reply">How it ended.</param>
    /// <param name="isGone">Whether the client's server stopped, so that there is no reply.</param>
    /// <param name="began">Virtual time at which it began.</param>
    /// <param name="nanos">Virtual time.</param>
    public void End(CacheOperation operation, CacheReply reply, bool isGone, long began, long nanos)
    {
        Checks++;
        if (isGone)
        {
            (Count, _isUncertain) = (null, false);
            _late.Add((operation == CacheOperation.Set, nanos + attemptNanos));
        }
        else if (reply.Status == CacheStatus.Done && operation == CacheOperation.Set)
        {
            (Count, _isUncertain) = (0, false);
            Forget(began);
        }
        else if (reply.Status == CacheStatus.TimedOut)
        {
            // Twice uncertain is too much to know: it begins again.
            Count = _isUncertain ? null : Count;
            _isUncertain = Count is not null;
        }
        else if (reply.Status == CacheStatus.Done)
        {
            Judge(reply.Number, nanos);
            (Count, _isUncertain) = (reply.Number, false);
            Forget(began);
        }
        else if (reply.Status == CacheStatus.NotFound)
        {
            (Count, _isUncertain) = (null, false);
            Forget(began);
        }
    }

    private void Judge(ulong number, long nanos)
    {
        ulong expected = Count!.Value + 1;
        ulong most = expected + (_isUncertain ? 1UL : 0) + (ulong)_late.Count(l => !l.IsSet);
        ulong least = _late.Exists(l => l.IsSet) ? 1 : expected;
        if (number < least || number > most)
        {
            string should = least == most ? $"{expected}" : $"{least} to {most}";
            Fail(nanos, $"{key} is {number} after an increment, but should be {should}.");
            return;
        }

        // Each is done at most once. Which it was is not known: the first, as the others may come for longer.
        if (number < expected)
        {
            _late.RemoveAt(_late.FindIndex(l => l.IsSet));
        }

        for (ulong more = expected + (_isUncertain ? 1UL : 0); more < number; more++)
        {
            _late.RemoveAt(_late.FindIndex(l => !l.IsSet));
        }
    }

    // What was done until its deadline has been seen by an operation that began after it.
    private void Forget(long began) => _late.RemoveAll(l => l.Until <= began);
}
