namespace CamCube.Simulator.Engine;

/// <summary>
/// Where the threads of a parallel run meet after each window, some millions of times a second: they spin, and give the processor away
/// only after long waits, as when there are more threads than free cores.
/// </summary>
internal sealed class WindowBarrier(int threads)
{
    // Some microseconds: longer than a window of a large cube takes, much shorter than a time slice.
    private readonly int _spinsBeforeYield = threads <= Environment.ProcessorCount ? 300 : 0;
    private int _arrived;
    private int _round;
    private volatile bool _broken;

    /// <summary>Waits for all others. False: one of them failed, and the run is over.</summary>
    public bool Meet()
    {
        int round = Volatile.Read(ref _round);
        if (Interlocked.Increment(ref _arrived) == threads)
        {
            _arrived = 0;
            Volatile.Write(ref _round, round + 1);
            return !_broken;
        }

        for (int spins = 0; Volatile.Read(ref _round) == round; spins++)
        {
            if (_broken)
            {
                return false;
            }

            if (spins < _spinsBeforeYield)
            {
                Thread.SpinWait(1);
            }
            else
            {
                Thread.Yield();
            }
        }

        return !_broken;
    }

    /// <summary>This thread will not come again: all others stop waiting.</summary>
    public void Break() => _broken = true;
}
