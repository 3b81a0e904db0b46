namespace CamCube.Simulator.Swarm;

/// <summary>What is given instead of drawn; null is drawn.</summary>
public sealed record SwarmWishes
{
    /// <summary>Axis sizes.</summary>
    public string? Shape { get; init; }

    /// <summary>Whether an axis of size 2 has two cables.</summary>
    public bool? ParallelCables { get; init; }

    /// <summary>What servers run.</summary>
    public IReadOnlyList<string>? Services { get; init; }

    /// <summary>Faults that are on, all others off; empty for none.</summary>
    public IReadOnlyList<FaultKind>? Faults { get; init; }
}
