namespace CamCube.Simulator.Seeing;

/// <summary>Kinds of events of a <see cref="Timeline"/>.</summary>
internal enum TimelineKind : byte
{
    OnLink = 0,
    LostOnLink = 1,
    Sent = 2,
    Verdict = 3,
    Threw = 4,
    Dropped = 5,
    Note = 6,
    FaultBegan = 7,
    FaultEnded = 8,
}
