using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>One server in numbers, in an answer of the key-value store.</summary>
internal sealed record StoreStatusAnswer(
    [property: JsonRequired] string Server,
    int Groups,
    int Led,
    int Unborn,
    int Leaderless,
    int WithAway,
    ulong Behind,
    string? Failure,
    string? Waiting,
    long Keys,
    long Bytes,
    long GarbageBytes,
    long CopiesMissing,
    long Fetching,
    long FetchedBytesPerSecond,
    long Rotten,
    long Repaired,
    long ScrubbedPercent,
    int WithoutMajority,
    double WithoutMajoritySeconds,
    IReadOnlyList<string> Tables
);
