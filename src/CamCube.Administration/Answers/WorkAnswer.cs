using System.Text.Json.Serialization;

namespace CamCube.Administration.Answers;

/// <summary>What a server has off its loop, of one class.</summary>
/// <param name="Class">The class.</param>
/// <param name="Waiting">Waiting.</param>
/// <param name="Running">Running.</param>
/// <param name="Limit">May run at once.</param>
/// <param name="Refused">Refused for want of room.</param>
/// <param name="Lost">Work that did not come back in its time, by name.</param>
public sealed record WorkAnswer(
    [property: JsonRequired] string Class,
    int Waiting,
    int Running,
    int Limit,
    long Refused,
    IReadOnlyList<string> Lost
);
