using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>The commands of a service (docs/http-api.md).</summary>
internal sealed record HostCommands([property: JsonRequired] HostCommand[] Commands);
