using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A member of a group in an answer of the key-value store.</summary>
internal sealed record StoreMemberAnswer([property: JsonRequired] string Server, [property: JsonRequired] string State);
