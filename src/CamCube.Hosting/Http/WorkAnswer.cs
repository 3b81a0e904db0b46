namespace CamCube.Hosting.Http;

/// <summary>What a server has off its loop, of one class.</summary>
internal sealed record WorkAnswer(
    string Class,
    int Waiting,
    int Running,
    int Limit,
    long Refused,
    IReadOnlyList<string> Lost
);
