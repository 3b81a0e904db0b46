using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>The answer of <c>GET /health/live</c> and <c>GET /health/ready</c>.</summary>
/// <param name="Status"><c>live</c>, <c>dead</c>; <c>ready</c>, <c>degraded</c>, <c>unready</c>, or the phase.</param>
/// <param name="Reasons">Why, for people.</param>
public sealed record HealthAnswer([property: JsonRequired] string Status, IReadOnlyList<string>? Reasons);
