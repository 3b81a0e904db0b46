namespace CamCube.Hosting.Http;

/// <summary>A fault in <see cref="CablingAnswer"/>.</summary>
internal sealed record CablingFaultAnswer(
    string Kind,
    string ServerId,
    string? Coordinate,
    string? Port,
    string? Link,
    string Text
)
{
    /// <summary>A fault in the form of the answers.</summary>
    public static CablingFaultAnswer Of(CablingFault fault) =>
        new(
            StatusJson.Name(fault.Kind),
            fault.ServerId,
            fault.Coordinate?.ToString(),
            fault.Port,
            fault.Link?.Name(),
            fault.Text
        );
}
