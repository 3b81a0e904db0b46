using CamCube.Testbed;

namespace CamCube.Chaos;

/// <summary>A fault of a run.</summary>
/// <param name="At">When it begins, from the start of the run.</param>
/// <param name="Kind">What is done.</param>
/// <param name="Rank">To which server.</param>
/// <param name="Link">At which of its cables.</param>
/// <param name="How">How a cable is cut.</param>
/// <param name="Time">How long it lasts.</param>
public sealed record Fault(TimeSpan At, FaultKind Kind, int Rank, Link Link, CutKind How, TimeSpan Time);
