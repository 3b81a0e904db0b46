using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A job that distributes a file, in an answer of the server where it was begun.</summary>
internal sealed record DistributionJobAnswer(
    [property: JsonRequired] string Id,
    [property: JsonRequired] string Name,
    [property: JsonRequired] string State,
    string? Words,
    long Bytes,
    double Seconds,
    int Trees,
    [property: JsonRequired] IReadOnlyList<DistributionMemberAnswer> Members
)
{
    /// <summary>Whether it goes on.</summary>
    [JsonIgnore]
    public bool IsRunning => State is "preparing" or "running";

    /// <summary>Members that have the file.</summary>
    [JsonIgnore]
    public int Done => Members.Count(static member => member.State == "done");
}
