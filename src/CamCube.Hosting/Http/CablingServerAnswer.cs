namespace CamCube.Hosting.Http;

/// <summary>A server in <see cref="CablingAnswer"/>.</summary>
internal sealed record CablingServerAnswer(
    string ServerId,
    string? Coordinate,
    bool Fixed,
    bool Refusing,
    IReadOnlyList<CablingPortAnswer> Ports
)
{
    /// <summary>A server in the form of the answers.</summary>
    public static CablingServerAnswer Of(CablingServer server) =>
        new(
            server.ServerId,
            server.Coordinate?.ToString(),
            server.IsFixed,
            server.IsRefusing,
            [.. server.Ports.Select(CablingPortAnswer.Of)]
        );
}
