using CamCube.Administration.Answers;

namespace CamCube.Tool.Commands;

/// <summary>One link as <c>camcube links --json</c> prints it.</summary>
/// <param name="Rank">Rank of the server; null while it waits for its place.</param>
/// <param name="Server">Its coordinate; its identity while it waits.</param>
/// <param name="Link">Direction.</param>
/// <param name="NeighbourRank">Rank of the server at the other end; null: not known.</param>
/// <param name="Neighbour">Its coordinate; of one that has none, too, its identity; null: nobody is heard.</param>
/// <param name="State">What the server hears on it: up or down.</param>
/// <param name="Cable">The cable: up, down or cut.</param>
/// <param name="SentPackets">Packets sent.</param>
/// <param name="SentBytes">Bytes sent, with headers.</param>
/// <param name="ReceivedPackets">Packets received.</param>
/// <param name="ReceivedBytes">Bytes received, with headers.</param>
/// <param name="Foreign">What others than servers put on the cable, as the host sees it at its own ports.</param>
internal sealed record LinkRow(
    int? Rank,
    string Server,
    string Link,
    int? NeighbourRank,
    string? Neighbour,
    string State,
    string Cable,
    long SentPackets,
    long SentBytes,
    long ReceivedPackets,
    long ReceivedBytes,
    ForeignAnswer? Foreign
);
