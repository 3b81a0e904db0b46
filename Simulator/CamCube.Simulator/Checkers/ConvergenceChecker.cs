namespace CamCube.Simulator.Checkers;

/// <summary>
/// Whether a cube in which nothing changes any more settles in time: within 3 detection times and 1 ms per hop of its
/// longest distance.
/// </summary>
/// <param name="reachability">Says whether it has settled.</param>
/// <param name="truth">The cube as it is.</param>
/// <param name="detectionNanos">The detection time.</param>
public sealed class ConvergenceChecker(ReachabilityChecker reachability, TrueCube truth, long detectionNanos)
    : Checker("convergence")
{
    private readonly List<long> _times = [];
    private long _since;
    private long _until;
    private long _lastDiffered;
    private string? _differs;

    /// <summary>How long it took each time, in nanoseconds: until the last moment at which something was not yet
    /// so.</summary>
    public IReadOnlyList<long> TimesNanos => _times;

    /// <summary>The time it may take now.</summary>
    public long BoundNanos => (3 * detectionNanos) + (1_000_000L * truth.Diameter());

    /// <summary>From now on nothing changes. Answers until when it must have settled, and is to be looked at.</summary>
    public long Begin(long nanos)
    {
        (_since, _lastDiffered, _until) = (nanos, nanos, nanos + BoundNanos);
        return _until;
    }

    /// <summary>Looks at the present. Not only whether it is settled counts, but whether it stays so: news may still be
    /// under way.</summary>
    public void Look(long nanos)
    {
        _differs = reachability.WhatDiffers();
        _lastDiffered = _differs is null ? _lastDiffered : nanos;
    }

    /// <summary>The time is over. Answers whether the cube has settled.</summary>
    public bool End(long nanos)
    {
        Checks++;
        if (_differs is not null)
        {
            Fail(
                nanos,
                $"not settled {(nanos - _since) / 1e6:F1} ms after the last change, "
                    + $"allowed are {(_until - _since) / 1e6:F1} ms: {_differs}."
            );
            return false;
        }

        _times.Add(_lastDiffered - _since);
        return true;
    }
}
