using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>One cable in <see cref="StatusAnswer"/>, and the answer to an order about it.</summary>
/// <param name="Rank">The server at its + end.</param>
/// <param name="Link">The link there: <c>+x</c>.</param>
/// <param name="NeighbourRank">The server at its other end.</param>
/// <param name="State"><c>up</c>, <c>down</c> or <c>cut</c>.</param>
public sealed record CableAnswer(
    [property: JsonRequired] int Rank,
    [property: JsonRequired] string Link,
    int NeighbourRank,
    [property: JsonRequired] string State
);
