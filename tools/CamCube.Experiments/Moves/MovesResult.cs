namespace CamCube.Experiments.Moves;

/// <summary>What <see cref="MovesExperiment"/> found.</summary>
/// <param name="Rounds">Moves and kills that count, in order.</param>
/// <param name="ResolveMillis">How much longer first calls to endpoints take than later ones: a place is found.
/// </param>
/// <param name="SendMillis">Half of the round trips of the later ones.</param>
/// <param name="Wrong">Messages that came to another endpoint than they were sent to.</param>
/// <param name="Doubled">Messages that came more than once.</param>
/// <param name="Received">Messages that came, to all endpoints.</param>
/// <param name="Malformed">Of them, those of hostile senders whose body is none.</param>
/// <param name="Senders">Endpoints that sent.</param>
/// <param name="ClockMillis">How far the servers' clocks may be from what was taken for them.</param>
internal sealed record MovesResult(
    IReadOnlyList<MoveRound> Rounds,
    IReadOnlyList<double> ResolveMillis,
    IReadOnlyList<double> SendMillis,
    long Wrong,
    long Doubled,
    long Received,
    long Malformed,
    int Senders,
    double ClockMillis
);
