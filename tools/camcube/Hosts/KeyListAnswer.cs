using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A part of a list of the key-value store.</summary>
/// <param name="Keys">Keys.</param>
/// <param name="Next">Where it goes on; null: that was all.</param>
internal sealed record KeyListAnswer(
    [property: JsonRequired] IReadOnlyList<ListedKeyAnswer> Keys,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Next
);
