namespace CamCube.Hosting.Http;

/// <summary>One cable in <see cref="StatusAnswer"/>, and the answer to an order about it.</summary>
internal sealed record CableAnswer(int Rank, string Link, int NeighbourRank, string State);
