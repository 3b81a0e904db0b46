using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A copy that is not as the others are.</summary>
internal sealed record StoreDifferenceAnswer(
    [property: JsonRequired] string Group,
    [property: JsonRequired] string Server,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Key,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Hex,
    [property: JsonRequired] string Version,
    [property: JsonRequired] string What
);
