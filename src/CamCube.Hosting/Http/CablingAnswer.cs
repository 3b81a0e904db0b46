namespace CamCube.Hosting.Http;

/// <summary>The answer of <c>GET /api/cabling</c> (docs/http-api.md).</summary>
internal sealed record CablingAnswer(
    string ClusterId,
    int[] Shape,
    bool ParallelCables,
    string ServerId,
    string? Coordinate,
    string Phase,
    string? Waiting,
    int MaxFrameLength,
    long? MapEpochMillis,
    string? MapMaker,
    int AdmittedLinks,
    int ExpectedLinks,
    int WorkingCables,
    int ExpectedCables,
    IReadOnlyList<CablingServerAnswer> Servers,
    IReadOnlyList<CablingFaultAnswer> Faults
)
{
    /// <summary>A report in the form of the answers.</summary>
    public static CablingAnswer Of(CablingReport report) =>
        new(
            report.ClusterId,
            [report.Shape.X, report.Shape.Y, report.Shape.Z],
            report.Shape.ParallelCables,
            report.ServerId,
            report.Coordinate?.ToString(),
            StatusJson.Name(report.Phase),
            report.Waiting,
            report.MaxFrameLength,
            report.MapEpochMillis,
            report.MapMaker,
            report.AdmittedLinks,
            report.ExpectedLinks,
            report.WorkingCables,
            report.ExpectedCables,
            [.. report.Servers.Select(CablingServerAnswer.Of)],
            [.. report.Faults.Select(CablingFaultAnswer.Of)]
        );
}
