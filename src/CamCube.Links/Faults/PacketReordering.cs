namespace CamCube.Faults;

/// <summary>Some packets are held back, and those behind them overtake.</summary>
public sealed record PacketReordering : LinkFault
{
    /// <summary>Reorders packets.</summary>
    /// <param name="probability">How many are held back, from 0 to 1.</param>
    /// <param name="upTo">They come up to this much later, evenly drawn; up to a day.</param>
    public PacketReordering(double probability, TimeSpan upTo) =>
        (Probability, UpTo) = (CheckProbability(probability, nameof(probability)), CheckTime(upTo, nameof(upTo)));

    /// <summary>How many are held back.</summary>
    public double Probability { get; }

    /// <summary>For how long at most.</summary>
    public TimeSpan UpTo { get; }

    internal override void Decide(ref FaultDecision decision, ref FaultRandom random, in LinkPassage passage)
    {
        if (random.Chance(Probability))
        {
            decision.HoldBackNanos += 1 + random.Below(Nanos(UpTo));
        }
    }
}
