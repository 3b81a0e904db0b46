namespace CamCube.Testing;

/// <summary>A run of <see cref="TestCube.Swarm(SwarmPlan, Func{SwarmCase, Task})"/> failed. The message says the seed,
/// what is wrong, the smallest list of faults that shows it, and how to run just that again.</summary>
public sealed class SwarmFailedException : Exception
{
    internal SwarmFailedException(
        string message,
        ulong seed,
        string finding,
        IReadOnlyList<SwarmFault> faults,
        string replay,
        Exception? inner
    )
        : base(message, inner) => (Seed, Finding, Faults, Replay) = (seed, finding, faults, replay);

    /// <summary>The seed.</summary>
    public ulong Seed { get; }

    /// <summary>What is wrong, in the smallest run.</summary>
    public string Finding { get; }

    /// <summary>The faults of the smallest run, in order.</summary>
    public IReadOnlyList<SwarmFault> Faults { get; }

    /// <summary>The smallest run, for <see cref="SwarmPlan.Replay"/>.</summary>
    public string Replay { get; }
}
