using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>One fault rule in force in <see cref="FaultsAnswer"/>, and the answer to the order that made it.</summary>
/// <param name="Id">Its number.</param>
/// <param name="Kind">Its kind: <c>loss</c>.</param>
/// <param name="Arguments">Its arguments as they were given.</param>
public sealed record FaultRuleAnswer(
    [property: JsonRequired] int Id,
    [property: JsonRequired] string Kind,
    [property: JsonRequired] IReadOnlyDictionary<string, string> Arguments
)
{
    /// <summary>As its command line had it: <c>loss probability=0.1 at=0,0,0:+x</c>.</summary>
    [JsonIgnore]
    public string Words =>
        string.Join(' ', [Kind, .. Arguments.Select(argument => $"{argument.Key}={argument.Value}")]);
}
