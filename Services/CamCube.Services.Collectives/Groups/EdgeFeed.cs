using CamCube.Trees;

namespace CamCube.Services.Collectives.Groups;

/// <summary>What goes out to the other end of an edge, while it asks. Loop only.</summary>
/// <param name="tree">Where it comes from.</param>
/// <param name="child">Which child gets it; less than 0: the parent.</param>
/// <param name="output">Where it goes.</param>
internal sealed class EdgeFeed(TreeEdges tree, int child, PullOutput output) : IPullSource
{
    public int Child => child;

    public PullOutput Output => output;

    public void OnWritable() => tree.OnWritable(this);

    public void OnLeft() => tree.OnLeft(this);
}
