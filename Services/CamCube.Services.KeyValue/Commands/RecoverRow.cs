namespace CamCube.Services.KeyValue.Commands;

/// <summary>What came of a recovery by hand, in JSON.</summary>
/// <param name="Lost">The stores that are given up: server and the number of its run that made it.</param>
/// <param name="Groups">Groups that cannot go on by themselves.</param>
/// <param name="Healthy">Groups that had a lost store, and go on by themselves.</param>
/// <param name="Left">Of those, the ones of which it is not decided yet.</param>
/// <param name="IsDone">It was to be done, and nothing is left.</param>
/// <param name="Waiting">What is waited for; nothing: nothing is.</param>
internal sealed record RecoverRow(
    IReadOnlyList<string> Lost,
    IReadOnlyList<RecoverGroupRow> Groups,
    int Healthy,
    int Left,
    bool IsDone,
    string? Waiting
);
