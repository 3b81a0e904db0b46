using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A group that cannot go on by itself, in an answer of the key-value store.</summary>
internal sealed record StoreRecoverGroupAnswer(
    [property: JsonRequired] string Group,
    string? Base,
    [property: JsonRequired] string[] Lost,
    [property: JsonRequired] string[] Members,
    long Generation,
    ulong Index,
    double? HeardSeconds,
    [property: JsonRequired] string Missing
);
