using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>One link of a server.</summary>
/// <param name="Link">Its name: <c>+x</c>.</param>
/// <param name="Neighbour">Who is there.</param>
/// <param name="NeighbourRank">Its rank.</param>
/// <param name="State"><c>up</c> or <c>down</c>.</param>
/// <param name="SentPackets">Packets sent.</param>
/// <param name="SentBytes">Bytes of them.</param>
/// <param name="ReceivedPackets">Packets received.</param>
/// <param name="ReceivedBytes">Bytes of them.</param>
public sealed record LinkAnswer(
    [property: JsonRequired] string Link,
    string Neighbour,
    int NeighbourRank,
    [property: JsonRequired] string State,
    long SentPackets,
    long SentBytes,
    long ReceivedPackets,
    long ReceivedBytes
);
