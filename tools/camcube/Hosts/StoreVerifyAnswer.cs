using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>What came of comparing a part of all copies, in an answer of the key-value store.</summary>
internal sealed record StoreVerifyAnswer(
    [property: JsonRequired] string Group,
    int Done,
    int Of,
    long Compared,
    long Bytes,
    [property: JsonRequired] StoreDifferenceAnswer[] Differences,
    [property: JsonRequired] StoreSkippedAnswer[] Skipped,
    string? Cursor
);
