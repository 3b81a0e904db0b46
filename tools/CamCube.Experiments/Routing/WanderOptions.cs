namespace CamCube.Experiments.Routing;

/// <summary>What a wandering service does.</summary>
internal sealed class WanderOptions
{
    /// <summary>Keys, or links, of each answer: 1 to 3.</summary>
    public int Keys { get; init; } = 1;

    /// <summary>Packets that each server starts.</summary>
    public int PacketsPerServer { get; init; } = 6;

    /// <summary>Virtual payload of each in bytes.</summary>
    public int PayloadLength { get; init; } = 8_900;
}
