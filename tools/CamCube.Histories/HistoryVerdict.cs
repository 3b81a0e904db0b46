namespace CamCube.Histories;

/// <summary>What a check has found.</summary>
/// <param name="IsLinearizable">Operations one after the other explain all that was seen. Null: it was not decided
/// within the limit.</param>
/// <param name="Operations">Operations looked at.</param>
/// <param name="Steps">Steps of the search.</param>
public sealed record HistoryVerdict(bool? IsLinearizable, int Operations, long Steps)
{
    /// <summary>The first key that is not, or not decided.</summary>
    public string? Key { get; init; }

    /// <summary>Of a violation: the operation whose answer nothing explains, in the best attempt.</summary>
    public HistoryOperation? Unexplained { get; init; }

    /// <summary>Of a violation: those that were open beside it, in the best attempt.</summary>
    public IReadOnlyList<HistoryOperation> Beside { get; init; } = [];
}
