namespace CamCube.Testbed;

/// <summary>A cable that <c>testbed cut</c> has cut.</summary>
/// <param name="Rank">The server that was named.</param>
/// <param name="Link">Its link, by its plain name (px).</param>
/// <param name="How">What was done.</param>
public sealed record TestbedCut(int Rank, string Link, CutKind How);
