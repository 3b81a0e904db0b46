using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A measurement that was begun.</summary>
internal sealed record BenchStartAnswer([property: JsonRequired] string Id);
