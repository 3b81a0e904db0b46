namespace CamCube.Faults;

/// <summary>
/// One kind of disturbance of links: what it does to a packet that enters a link. Immutable; what it draws comes from
/// the stream of the sending server, so it is the same whatever the number of threads. Put into force with
/// <see cref="LinkFaultRules.Add"/>.
/// </summary>
public abstract record LinkFault
{
    private protected LinkFault() { }

    /// <summary>Says what becomes of one packet, on top of what earlier rules said.</summary>
    internal abstract void Decide(ref FaultDecision decision, ref FaultRandom random, in LinkPassage passage);

    private protected static double CheckProbability(double probability, string name)
    {
        if (!(probability >= 0 && probability <= 1))
        {
            throw new ArgumentOutOfRangeException(name, probability, "A probability is from 0 to 1.");
        }

        return probability;
    }

    private protected static TimeSpan CheckTime(TimeSpan time, string name)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.Zero, name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(time, TimeSpan.FromDays(1), name);
        return time;
    }

    private protected static long Nanos(TimeSpan time) => time.Ticks * 100;
}
