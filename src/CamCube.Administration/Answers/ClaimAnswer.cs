using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>One claim of a service on the server's memory.</summary>
/// <param name="Name">What for.</param>
/// <param name="Bytes">Bytes that it may use.</param>
/// <param name="InChunks">Bytes of these that are handed out in chunks.</param>
public sealed record ClaimAnswer([property: JsonRequired] string Name, long Bytes, long InChunks);
