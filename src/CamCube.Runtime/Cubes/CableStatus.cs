namespace CamCube.Runtime.Cubes;

/// <summary>A snapshot of one cable, named from its end of lower rank (on an axis of size 2: from its + end).</summary>
/// <param name="Rank">Rank of the server at that end.</param>
/// <param name="Link">The link at that end.</param>
/// <param name="NeighbourRank">Rank of the server at the other end.</param>
/// <param name="State">State.</param>
public sealed record CableStatus(int Rank, Link Link, int NeighbourRank, CableState State);
