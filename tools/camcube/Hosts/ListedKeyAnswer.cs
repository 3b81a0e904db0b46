using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A key in a list of the key-value store.</summary>
/// <param name="Key">The key; null: it is no text.</param>
/// <param name="Hex">The key in hexadecimal digits then.</param>
/// <param name="Version">Its version.</param>
/// <param name="Length">Bytes of its value.</param>
internal sealed record ListedKeyAnswer(
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Key,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Hex,
    [property: JsonRequired] string Version,
    long Length
);
