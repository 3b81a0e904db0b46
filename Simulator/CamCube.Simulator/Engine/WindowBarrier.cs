namespace CamCube.Simulator.Engine;

/// <summary>
/// Where the threads of a parallel run meet after each window, some millions of times a second. Each tells all others
/// in one cache line of its own that it is there, and the time of its next event; nobody counts them, so that a meeting
/// is one line that moves each way. They spin, and give the processor away only after long waits, as when there are
/// more threads than free cores.
/// </summary>
internal sealed class WindowBarrier(int threads)
{
    // In numbers of eight bytes: two lines, because processors fetch lines in pairs.
    private const int PlaceSize = 16;

    // Some microseconds: longer than a window of a large cube takes, much shorter than a time slice.
    private readonly int _spinsBeforeYield = threads <= Environment.ProcessorCount ? 300 : 0;

    // Per thread the round that it has reached, and its time in even and in odd rounds: who is one round ahead writes
    // the other one.
    private readonly long[] _places = new long[(threads + 1) * PlaceSize];
    private volatile bool _broken;

    /// <summary>Waits for all others. False: one of them failed, and the run is over.</summary>
    /// <param name="number">Which thread this is, from 0.</param>
    /// <param name="round">How often it meets the others with this call, from 1.</param>
    /// <param name="time">What it tells them.</param>
    /// <param name="least">The least that anyone told.</param>
    public bool Meet(int number, long round, long time, out long least)
    {
        long[] places = _places;
        int parity = 1 + (int)(round & 1),
            own = (number + 1) * PlaceSize;
        places[own + parity] = time;
        Volatile.Write(ref places[own], round);
        least = time;
        for (int other = PlaceSize; other < places.Length; other += PlaceSize)
        {
            for (int spins = 0; Volatile.Read(ref places[other]) < round; spins++)
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

            least = Math.Min(least, places[other + parity]);
        }

        return !_broken;
    }

    /// <summary>This thread will not come again: all others stop waiting.</summary>
    public void Break() => _broken = true;
}
