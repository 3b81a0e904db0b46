namespace CamCube.Experiments.Moves;

/// <summary>How much of it.</summary>
/// <param name="Moves">Moves, in turns between owners.</param>
/// <param name="Kills">Owners that are killed.</param>
internal sealed record MovesPlan(int Moves, int Kills)
{
    /// <summary>Before them, turns of moves, and kills, that do not count: when programs are translated.</summary>
    public int Unmeasured { get; init; }

    /// <summary>Endpoints on each sending server that send each 10 ms; each 100 ms; and, on one server, bursts each
    /// 50 ms and what is none.</summary>
    public int Steady { get; init; } = 3;

    /// <inheritdoc cref="Steady"/>
    public int Slow { get; init; } = 2;

    /// <inheritdoc cref="Steady"/>
    public int Hostile { get; init; } = 1;
}
