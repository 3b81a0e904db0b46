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

    /// <summary>It ends.</summary>
    /// <param name="word">What the other end hears; null: nothing, and what is under way arrives.</param>
    public void End(PullRefusal? word)
    {
        if (word is { } said)
        {
            output.Abort(said);
        }
        else
        {
            output.Complete();
        }
    }

    public void OnLeft() => tree.OnLeft(this);
}
