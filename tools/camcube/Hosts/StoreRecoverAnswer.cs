using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>What came of a recovery by hand, in an answer of the key-value store.</summary>
internal sealed record StoreRecoverAnswer(
    [property: JsonRequired] string[] Lost,
    [property: JsonRequired] StoreRecoverGroupAnswer[] Groups,
    int Healthy,
    int Left,
    bool IsDone,
    string? Waiting
);
