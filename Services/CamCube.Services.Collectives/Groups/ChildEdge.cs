using CamCube.Services.Collectives.Wire;
using CamCube.Trees;

namespace CamCube.Services.Collectives.Groups;

/// <summary>The edge to one child. Loop only.</summary>
/// <param name="link">Where it leads.</param>
internal sealed class ChildEdge(TreeLink link)
{
    public TreeLink Link => link;

    /// <summary>What comes from it.</summary>
    public PullInput<EdgeRequest>? Input { get; set; }

    /// <summary>What goes to it; null: it does not ask.</summary>
    public EdgeFeed? Feed { get; set; }

    /// <summary>How far the results went to it.</summary>
    public long Sent { get; set; }
}
