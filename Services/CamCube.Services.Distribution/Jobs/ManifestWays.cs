using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>
/// Who gives a job's manifest to whom: each server to those behind it on shortest ways, so that the source gives it to
/// its neighbours only, however many members there are. It is told to all in the job's trees, and those alone have it.
/// Loop only.
/// </summary>
/// <param name="server">The source.</param>
/// <param name="digest">SHA-256 of the manifest.</param>
/// <param name="plan">The trees of the job.</param>
internal sealed class ManifestWays(IServer server, byte[] digest, TreePlan plan)
{
    // Not the trees of the job: those are deeper, and it would be none of them if each server took another one.
    private readonly TreePlan _ways = TreePlan.Create(plan.Shape, plan.Root, TreeKind.One);

    /// <summary>All in the trees but the source, whether they are there or not, the nearest first.</summary>
    public IEnumerable<Coordinate> NearestFirst() =>
        Enumerable
            .Range(0, plan.Shape.Count)
            .Select(plan.Shape.At)
            .Where(other => other != plan.Root && IsTold(other))
            .OrderBy(other => plan.Shape.Distance(plan.Root, other));

    /// <summary>What a server is told. Whoever gives it the manifest is nearer to the source than it is, so nobody
    /// waits in a circle.</summary>
    public JobNotice NoticeTo(Coordinate other)
    {
        Coordinate giver = _ways.Parent(0, other);
        while (giver != plan.Root && !(IsTold(giver) && server.Topology.IsReachable(giver)))
        {
            giver = _ways.Parent(0, giver);
        }

        return new JobNotice(digest, giver);
    }

    private bool IsTold(Coordinate other)
    {
        bool isTold = false;
        for (int tree = 0; tree < plan.Trees && !isTold; tree++)
        {
            isTold = plan.Contains(tree, other);
        }

        return isTold;
    }
}
