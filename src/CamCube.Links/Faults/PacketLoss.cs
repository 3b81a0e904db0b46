namespace CamCube.Faults;

/// <summary>Packets are lost, each with the same probability.</summary>
public sealed record PacketLoss : LinkFault
{
    /// <summary>Loses packets.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public PacketLoss(double probability) => Probability = CheckProbability(probability, nameof(probability));

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override void Decide(ref FaultDecision decision, ref FaultRandom random, in LinkPassage passage) =>
        decision.IsLost |= random.Chance(Probability);
}
