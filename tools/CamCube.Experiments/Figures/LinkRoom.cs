using CamCube.Simulator.Checkers;

namespace CamCube.Experiments.Figures;

/// <summary>How many values the links of a cube can carry, in closed form: each goes from any server to any other one,
/// the first that has it, and from there to the two nearest, over shortest paths, and all links are filled.</summary>
internal static class LinkRoom
{
    private const int Others = 2;

    /// <summary>What the links that are left can carry, over what all can.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="lost">Ranks of servers that have failed.</param>
    /// <returns>0 to 1.</returns>
    public static double Without(TorusShape shape, IReadOnlyList<int> lost)
    {
        var cube = new TrueCube(shape);
        double whole = Of(cube);
        foreach (int rank in lost)
        {
            cube.SetRuns(rank, false);
        }

        return Of(cube) / whole;
    }

    private static double Of(TrueCube cube)
    {
        int[] there = [.. Enumerable.Range(0, cube.Shape.Count).Where(cube.Runs)];
        int[] hops = new int[cube.Shape.Count];
        double links = 0,
            way = 0;
        foreach (int rank in there)
        {
            cube.Distances(rank, hops);
            links += cube.WorkingLinks(rank).Count;
            way += there.Average(other => hops[other]);
            way += there.Select(other => hops[other]).Order().Skip(1).Take(Others).Sum();
        }

        return links / (way / there.Length);
    }
}
