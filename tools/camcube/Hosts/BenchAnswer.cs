using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A measurement of a collective operation, in an answer of the server where it was begun.</summary>
internal sealed record BenchAnswer(
    [property: JsonRequired] string Id,
    [property: JsonRequired] string State,
    string? Words,
    [property: JsonRequired] string Operation,
    [property: JsonRequired] string Type,
    [property: JsonRequired] string Operator,
    int Members,
    int Rounds,
    [property: JsonRequired] IReadOnlyList<BenchSizeAnswer> Sizes
)
{
    /// <summary>Elements that were wrong, of all sizes.</summary>
    [JsonIgnore]
    public long Wrong => Sizes.Sum(static size => size.Wrong);
}
