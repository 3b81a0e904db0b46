using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>A port of a server in <see cref="CablingAnswer"/>.</summary>
/// <param name="Name">The interface.</param>
/// <param name="Link">Which link it is.</param>
/// <param name="Up">Whether it has a carrier.</param>
/// <param name="MaxFrameLength">Bytes of a frame.</param>
/// <param name="Admitted">Whether packets may pass.</param>
/// <param name="Heard">What is heard: <c>server</c>, <c>nobody</c>.</param>
/// <param name="Mutual">Whether the other end hears this one.</param>
/// <param name="PeerServerId">Who is there.</param>
/// <param name="PeerCoordinate">Its place.</param>
/// <param name="PeerLink">Its link.</param>
/// <param name="PeerPort">Its interface.</param>
/// <param name="Detail">More, for people.</param>
public sealed record CablingPortAnswer(
    [property: JsonRequired] string Name,
    string? Link,
    bool Up,
    int MaxFrameLength,
    bool Admitted,
    [property: JsonRequired] string Heard,
    bool Mutual,
    string? PeerServerId,
    string? PeerCoordinate,
    string? PeerLink,
    string? PeerPort,
    string? Detail
)
{
    /// <summary>What others put on the cable; nothing if that is nothing, and of other servers than the one that
    /// answers.</summary>
    public ForeignAnswer? Foreign { get; init; }
}
