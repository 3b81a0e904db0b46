namespace CamCube.Tool.Hosts;

/// <summary>One server on the way.</summary>
internal sealed record TraceHopAnswer(
    int Rank,
    string Server,
    string? In,
    string? Out,
    string[] Links,
    long Nanos,
    int Queued,
    string Verdict,
    bool? RunsService
);
