using CamCube.Topology;

namespace CamCube.Simulator.Checkers;

/// <summary>
/// Whether a settled cube knows itself: in each connected part all views are equal, say of every cable what is so, have
/// the shortest distances that a search finds, and only the majority has keys.
/// </summary>
/// <param name="cube">What the servers believe.</param>
/// <param name="truth">What is so.</param>
public sealed class ReachabilityChecker(SimulatedCube cube, TrueCube truth) : Checker("reachability")
{
    /// <summary>
    /// Whether the cube has converged. Cheap enough to be asked every virtual millisecond; in words what is not yet so,
    /// or null.
    /// </summary>
    public string? WhatDiffers()
    {
        var firsts = new int[truth.Components];
        Array.Fill(firsts, -1);
        for (int rank = 0; rank < truth.Shape.Count; rank++)
        {
            if (!truth.Runs(rank))
            {
                continue;
            }

            int component = truth.ComponentOf(rank);
            firsts[component] = firsts[component] < 0 ? rank : firsts[component];
            CubeView view = cube.Running(rank).Router.View;
            CubeView first = cube.Running(firsts[component]).Router.View;
            if (!view.HasSameContent(first))
            {
                return $"{truth.Shape.At(rank)} and {truth.Shape.At(firsts[component])} have different views";
            }

            Coordinate server = truth.Shape.At(rank);
            if (first.LiveLinks(server).Bits != truth.WorkingLinks(rank).Bits)
            {
                return $"{server} has the links {Names(truth.WorkingLinks(rank))}, "
                    + $"but in the views {Names(first.LiveLinks(server))}";
            }

            if (cube.Running(rank).Router.HasKeys != truth.HasMajority(component))
            {
                return truth.HasMajority(component)
                    ? $"{server} sees the majority but has no keys"
                    : $"{server} has keys without the majority";
            }
        }

        return null;
    }

    /// <summary>Compares every server's reachability and distances with a search over the cables.</summary>
    public void CheckDistances(long nanos)
    {
        var hops = new int[truth.Shape.Count];
        for (int rank = 0; rank < hops.Length; rank++)
        {
            if (!truth.Runs(rank))
            {
                continue;
            }

            truth.Distances(rank, hops);
            ITopologyView view = cube.TopologyOf(rank);
            for (int to = 0; to < hops.Length; to++)
            {
                Checks++;
                Coordinate target = truth.Shape.At(to);
                if (view.IsReachable(target) != hops[to] >= 0 || view.HopsTo(target) != hops[to])
                {
                    Fail(
                        nanos,
                        $"{truth.Shape.At(rank)} takes {target} to be {view.HopsTo(target)} hops away; "
                            + $"it is {hops[to]}."
                    );
                    return;
                }
            }
        }
    }

    private static string Names(LinkSet links)
    {
        var names = new List<string>();
        foreach (Link link in links)
        {
            names.Add(link.Name());
        }

        return names.Count == 0 ? "(none)" : string.Join(' ', names);
    }
}
