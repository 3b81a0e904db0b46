using CamCube.Histories;

namespace CamCube.Chaos;

/// <summary>What came of a run.</summary>
/// <param name="Faults">Faults of each kind that were done.</param>
/// <param name="Operations">What clients asked.</param>
/// <param name="Unknown">Of these, those whose end nobody knows.</param>
/// <param name="Unavailable">Of these, those that were not done.</param>
/// <param name="Longest">Longest time from the end of an answered operation to the next one of any client, in
/// seconds.</param>
/// <param name="SettleSeconds">From the end of the faults until all groups were as planned; negative: they never
/// were.</param>
/// <param name="Verdict">What the checker says of the history.</param>
/// <param name="Violations">What is not as it must be, a line each; empty: all is well.</param>
public sealed record ChaosResult(
    IReadOnlyDictionary<FaultKind, int> Faults,
    long Operations,
    long Unknown,
    long Unavailable,
    double Longest,
    double SettleSeconds,
    HistoryVerdict Verdict,
    IReadOnlyList<string> Violations
);
