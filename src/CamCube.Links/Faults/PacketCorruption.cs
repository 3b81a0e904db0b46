namespace CamCube.Faults;

/// <summary>
/// One bit of a packet turns over, anywhere in its frame, behind the checksum of the cable: as memory of a network card
/// or a software bug does it. What no receiver could read is lost and counted; the rest arrives changed, whatever it
/// says then.
/// </summary>
public sealed record PacketCorruption : LinkFault
{
    /// <summary>Corrupts packets.</summary>
    /// <param name="probability">From 0 to 1, per packet.</param>
    public PacketCorruption(double probability) => Probability = CheckProbability(probability, nameof(probability));

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override void Decide(ref FaultDecision decision, ref FaultRandom random, in LinkPassage passage) =>
        decision.IsCorrupted |= random.Chance(Probability);
}
