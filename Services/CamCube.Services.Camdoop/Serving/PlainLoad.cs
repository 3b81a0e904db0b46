using CamCube.Services.Camdoop.Outputs;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Wire;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Serving;

/// <summary>What the output of map tasks is on the cables of a job's trees if nothing is combined on the way: every
/// pair crosses all cables between where it joins the tree and the root. Pure; any thread.</summary>
internal static class PlainLoad
{
    /// <summary>Bytes on each cable that has any; none of a job without trees.</summary>
    /// <param name="job">The job.</param>
    /// <param name="shape">The cube.</param>
    /// <param name="outputs">Numbers of map tasks, and what they gave.</param>
    public static IReadOnlyList<LinkBytes> Of(
        Job job,
        TorusShape shape,
        IEnumerable<(int Task, MapOutput Output)> outputs
    )
    {
        if (!job.HasTrees || job.IsMapOnly)
        {
            return [];
        }

        long[] cables = new long[shape.Count * Links.Cables];
        foreach (IGrouping<int, MapOutput> home in outputs.GroupBy(o => job.Splits[o.Task].Home, static o => o.Output))
        {
            long[] sizes = new long[job.Groups.Count];
            foreach (MapOutput output in home)
            {
                output.AddSizes(sizes);
            }

            for (int reduce = 0; reduce < job.Description.Reduces; reduce++)
            {
                AddReduce(job, shape, reduce, shape.At(home.Key), sizes, cables);
            }
        }

        return
        [
            .. cables.Select(static (bytes, cable) => new LinkBytes(cable, bytes)).Where(static load => load.Bytes > 0),
        ];
    }

    private static void AddReduce(Job job, TorusShape shape, int reduce, Coordinate home, long[] sizes, long[] cables)
    {
        TreePlan? plan = null;
        for (int tree = 0; tree < job.Trees; tree++)
        {
            long bytes = sizes[job.Groups.Of(reduce, tree)];
            if (bytes == 0)
            {
                continue;
            }

            plan ??= job.PlanOf(reduce);
            Link up;
            for (Coordinate at = home; (up = plan.ParentLink(tree, at)) != Link.Local; at = shape.Step(at, up))
            {
                cables[(shape.RankOf(at) * Links.Cables) + (int)up] += bytes;
            }
        }
    }
}
