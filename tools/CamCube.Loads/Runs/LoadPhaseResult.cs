using CamCube.Loads.Measuring;
using CamCube.Loads.Operations;

namespace CamCube.Loads.Runs;

/// <summary>What came of a phase.</summary>
/// <param name="Phase">Which.</param>
/// <param name="Seconds">How long it took.</param>
/// <param name="Tally">All operations.</param>
/// <param name="Late">Operations whose time came, and that were not begun until the end.</param>
/// <param name="Course">How many were done when.</param>
/// <param name="IsGone">It was ended as no server was there any more.</param>
public sealed record LoadPhaseResult(
    LoadPhase Phase,
    double Seconds,
    LoadTally Tally,
    long Late,
    IReadOnlyList<LoadSecond> Course,
    bool IsGone
)
{
    /// <summary>A row for each kind of operation.</summary>
    public IReadOnlyList<OperationRow> Rows => Tally.Rows(Seconds);
}
