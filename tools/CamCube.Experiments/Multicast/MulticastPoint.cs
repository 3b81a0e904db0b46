namespace CamCube.Experiments.Multicast;

/// <summary>Links in the multicast trees of one member fraction, mean over the groups.</summary>
/// <param name="Fraction">Members as a part of all servers.</param>
/// <param name="Members">Members of each group.</param>
/// <param name="BaseLinks">Links of a tree by joins on random shortest paths.</param>
/// <param name="MiniCubeLinks">The same by mini-cube joins.</param>
/// <param name="OrderedLinks">The same by joins in dimension order, for comparison.</param>
/// <param name="SpreadOfSaving">Standard deviation of the saving of single groups by mini-cubes.</param>
/// <param name="MostExtraHops">
/// Hops that a member's way in the mini-cube tree is longer than the shortest, the most of all members and groups.
/// </param>
public sealed record MulticastPoint(
    double Fraction,
    int Members,
    double BaseLinks,
    double MiniCubeLinks,
    double OrderedLinks,
    double SpreadOfSaving,
    int MostExtraHops
)
{
    /// <summary>Part of base routing's links that mini-cube joins save.</summary>
    public double Saving => 1 - (MiniCubeLinks / BaseLinks);

    /// <summary>The same for dimension order; negative if it needs more.</summary>
    public double OrderedSaving => 1 - (OrderedLinks / BaseLinks);
}
