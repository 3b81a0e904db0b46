using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A job that was begun.</summary>
internal sealed record DistributionStartAnswer([property: JsonRequired] string Id);
