namespace CamCube.Runtime.Cubes;

/// <summary>A snapshot of what a server has off its loop, of one class.</summary>
/// <param name="Class">short, long or disk.</param>
/// <param name="Waiting">Jobs that wait for a thread.</param>
/// <param name="Running">Jobs that a thread does.</param>
/// <param name="Limit">Most that may wait.</param>
/// <param name="Refused">Jobs that were refused, because so many waited.</param>
/// <param name="Lost">Work that a thread still does though nobody waits for it: service and method.</param>
public sealed record WorkStatus(
    string Class,
    int Waiting,
    int Running,
    int Limit,
    long Refused,
    IReadOnlyList<string> Lost
);
