namespace CamCube.Hosting.Http;

/// <summary>A port of a server in <see cref="CablingAnswer"/>.</summary>
internal sealed record CablingPortAnswer(
    string Name,
    string? Link,
    bool Up,
    int MaxFrameLength,
    bool Admitted,
    string Heard,
    bool Mutual,
    string? PeerServerId,
    string? PeerCoordinate,
    string? PeerLink,
    string? PeerPort,
    string? Detail
)
{
    /// <summary>A port in the form of the answers.</summary>
    public static CablingPortAnswer Of(CablingPort port) =>
        new(
            port.Name,
            port.Link?.Name(),
            port.IsUp,
            port.MaxFrameLength,
            port.IsAdmitted,
            StatusJson.Name(port.Heard),
            port.IsMutual,
            port.PeerServerId,
            port.PeerCoordinate?.ToString(),
            port.PeerLink?.Name(),
            port.PeerPort,
            port.Detail
        );
}
