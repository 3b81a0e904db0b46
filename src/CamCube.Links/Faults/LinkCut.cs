namespace CamCube.Faults;

/// <summary>Nothing arrives. What is on the cable already still does. One direction or both, as the scope
/// says.</summary>
public sealed record LinkCut : LinkFault
{
    internal override void Decide(ref FaultDecision decision, ref FaultRandom random, in LinkPassage passage) =>
        decision.IsCut = true;
}
