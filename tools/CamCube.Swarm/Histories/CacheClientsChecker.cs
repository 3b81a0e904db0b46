using CamCube.Services.Cache;
using CamCube.Simulator.Checkers;

namespace CamCube.Swarm.Histories;

/// <summary>Every operation of the cache ends, whatever happens to the cube.</summary>
public sealed class CacheClientsChecker() : Checker("cache-ends")
{
    private long _reported = -1;

    /// <summary>Looks at an operation that has not ended.</summary>
    public void LookAt(
        CacheOperation operation,
        string key,
        string through,
        long beganNanos,
        long nanos,
        long longestNanos
    )
    {
        Checks++;
        if (nanos - beganNanos > longestNanos && beganNanos != _reported)
        {
            _reported = beganNanos;
            Fail(
                nanos,
                $"{operation} of {key} through {through} has not ended {(nanos - beganNanos) / 1e6:F1} ms after it "
                    + $"began."
            );
        }
    }
}
