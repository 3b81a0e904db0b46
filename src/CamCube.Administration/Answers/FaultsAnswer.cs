using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>The answer of <c>GET /api/faults</c>; docs/http-api.md describes every field.</summary>
/// <param name="Rules">The rules in force.</param>
/// <param name="Counts">What they did, by kind.</param>
public sealed record FaultsAnswer(
    [property: JsonRequired] IReadOnlyList<FaultRuleAnswer> Rules,
    [property: JsonRequired] IReadOnlyDictionary<string, long> Counts
);
