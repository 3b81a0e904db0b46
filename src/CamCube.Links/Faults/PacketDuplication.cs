namespace CamCube.Faults;

/// <summary>Packets arrive twice; the copy comes right behind.</summary>
public sealed record PacketDuplication : LinkFault
{
    /// <summary>Duplicates packets.</summary>
    /// <param name="probability">From 0 to 1.</param>
    public PacketDuplication(double probability) => Probability = CheckProbability(probability, nameof(probability));

    /// <summary>From 0 to 1.</summary>
    public double Probability { get; }

    internal override void Decide(ref FaultDecision decision, ref FaultRandom random, in LinkPassage passage) =>
        decision.Copies += random.Chance(Probability) ? 1 : 0;
}
