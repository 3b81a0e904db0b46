namespace CamCube.Services.Camdoop;

/// <summary>An attempt at a task that failed.</summary>
/// <param name="Attempt">Its name, as in <c>attempt_1764420000000_0001_m_000000_0</c>.</param>
/// <param name="Server">Where it ran.</param>
/// <param name="Words">Why, in words for people.</param>
public sealed record AttemptFailure(string Attempt, Coordinate Server, string Words)
{
    /// <summary>The end of what its program wrote to standard error; empty: nothing, or it was none.</summary>
    public string ErrorText { get; init; } = "";
}
