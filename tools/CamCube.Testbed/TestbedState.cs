namespace CamCube.Testbed;

/// <summary>What a testbed consists of: the content of its state file. Whatever is not in here is not
/// touched.</summary>
public sealed record TestbedState
{
    /// <summary>What was asked for.</summary>
    public required TestbedPlan Plan { get; init; }

    /// <summary>Whether <c>up</c> has got as far as starting all servers.</summary>
    public bool IsComplete { get; init; }

    /// <summary>The servers, by rank.</summary>
    public IReadOnlyList<TestbedServer> Servers { get; init; } = [];

    /// <summary>Cables that are cut.</summary>
    public IReadOnlyList<TestbedCut> Cuts { get; init; } = [];
}
