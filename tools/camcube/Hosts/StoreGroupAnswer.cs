using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A group in an answer of the key-value store.</summary>
internal sealed record StoreGroupAnswer(
    [property: JsonRequired] string Group,
    long Epoch,
    [property: JsonRequired] StoreMemberAnswer[] Members,
    string? Leader,
    ulong Index,
    ulong Behind,
    long BehindBytes,
    long Generation,
    double WithoutMajoritySeconds
);
