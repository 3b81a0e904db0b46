using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A fault rule in force at a host.</summary>
internal sealed record HostFaultRule(
    [property: JsonRequired] int Id,
    [property: JsonRequired] string Kind,
    [property: JsonRequired] Dictionary<string, string> Arguments
)
{
    /// <summary>As its command line had it: <c>loss probability=0.1 at=0,0,0:+x</c>.</summary>
    [JsonIgnore]
    public string Words =>
        string.Join(' ', [Kind, .. Arguments.Select(argument => $"{argument.Key}={argument.Value}")]);
}
