namespace CamCube.Hosting.Http;

/// <summary>The answer of the health paths.</summary>
internal sealed record HealthAnswer(string Status, IReadOnlyList<string>? Reasons);
