using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>A group of collective operations at one server.</summary>
internal sealed record CollectiveGroupAnswer(
    [property: JsonRequired] string Name,
    int Members,
    int Rank,
    long Done,
    int Waiting,
    long Bytes,
    [property: JsonRequired] string State,
    string? Words
);
