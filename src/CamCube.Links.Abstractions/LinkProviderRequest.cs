namespace CamCube;

/// <summary>What a link provider is told.</summary>
/// <param name="Coordinate">The server whose links are wanted; null: the links find it out by their cabling
/// (<see cref="ILinkProvider.FindsCoordinate"/>).</param>
/// <param name="Shape">The cube.</param>
/// <param name="Settings">The flat settings below <c>CamCube:{provider name}</c>, keys as in configuration, without
/// case.</param>
public sealed record LinkProviderRequest(
    Coordinate? Coordinate,
    TorusShape Shape,
    IReadOnlyDictionary<string, string> Settings
)
{
    /// <summary>Name of the cube (<c>CamCube:ClusterId</c>): servers of another one are not talked to.</summary>
    public string ClusterId { get; init; } = "camcube";

    /// <summary>Folder for what a server keeps for life (<c>CamCube:StateDirectory</c>): its identity and its place.
    /// Null: nothing is kept.
    /// </summary>
    public string? StateDirectory { get; init; }

    /// <summary>The clock, for lifetimes that outlast the process; what runs on the loop is told server time.</summary>
    public required TimeProvider Time { get; init; }

    /// <summary>Takes one line for people when something about the cables should be known, and again when it is mended.
    /// Loop only; must not block.</summary>
    public Action<LinkNews> News { get; init; } = _ => { };
}
