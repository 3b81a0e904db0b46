using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A member of a job that distributes a file.</summary>
internal sealed record DistributionMemberAnswer(
    [property: JsonRequired] string Server,
    [property: JsonRequired] string State,
    long Bytes,
    double Seconds,
    double RateBitsPerSecond,
    string? Words
);
