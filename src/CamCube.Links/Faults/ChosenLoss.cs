namespace CamCube.Faults;

/// <summary>Packets are lost that somebody chooses: for tests that want to lose this one and no other.</summary>
/// <param name="Choose">Asked for each packet that enters a link (sender, its link, the packet, which is lent for the
/// call): true loses it. Called on the sender's loop, so with several threads it must keep nothing that servers
/// share.</param>
public sealed record ChosenLoss(Func<Coordinate, Link, Packet, bool> Choose) : LinkFault
{
    internal override void Decide(ref FaultDecision decision, ref FaultRandom random, in LinkPassage passage) =>
        decision.IsLost |= Choose(passage.Sender, passage.Link, passage.Packet);
}
