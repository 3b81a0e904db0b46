namespace CamCube.Services.Collectives.Groups;

/// <summary>An edge of a tree, as one end sees it.</summary>
/// <param name="Rank">The member at its other end.</param>
/// <param name="Cable">The cable to it; null: there are servers between, which are no members.</param>
internal readonly record struct TreeLink(int Rank, Link? Cable);
