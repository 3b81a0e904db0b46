namespace CamCube.Swarm;

/// <summary>A run cannot be done, or not be written down, as it was asked for.</summary>
/// <param name="message">One line for people.</param>
public sealed class SwarmException(string message) : Exception(message)
{
    /// <summary>Whether what was asked for is wrong, and not what came of it.</summary>
    public bool IsUsage { get; private init; }

    /// <summary>What was asked for is wrong.</summary>
    public static SwarmException OfUsage(string message) => new(message) { IsUsage = true };
}
