using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Generated;
using CamCube.Services.Camdoop;
using CamCube.Trees;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>Shuffles as rows of a figure's table, beside what closed forms say of them.</summary>
internal static class ShuffleRows
{
    private const double FrameSeconds = 72.3e-6;

    /// <summary>What is asked, of the closed form, beside filling.</summary>
    public const double MostOver = 1.08;

    /// <summary>What is asked where an edge has a few hundred bytes: requests and heads of streams come to
    /// them.</summary>
    public const double MostOverOfFew = 1.25;

    /// <summary>Names the columns.</summary>
    public static void SetColumns(FigureRun run) =>
        run.Table.SetColumns(
            "shape",
            "variant",
            "share",
            "reduces",
            "bytes_per_server",
            "seconds",
            "model_seconds",
            "switch_seconds",
            "switch_of_six_seconds",
            "oversubscribed_seconds",
            "links_off_model"
        );

    /// <summary>Says what was run.</summary>
    public static void Note(FigureRun run, ShuffleSize size)
    {
        run.Note(
            $"{size.Shape}, links of {size.Terms.LinkBitsPerSecond / 1e9:0.###} Gbit/s, frames of 9,014 bytes, about "
                + $"{size.BytesPerServer / 1e6:0.##} MB of intermediate data per server; from when the first reduce "
                + "begins to pull, all map tasks being done, to when the last has all; output is not written."
        );
        run.Note(
            "Closed form: the bytes of the fullest link at its rate. Asked: 1.08 of it, and for filling a frame for "
                + "each hop of the longest way."
        );
    }

    /// <summary>Runs one.</summary>
    public static ShuffleRow Measure(FigureRun run, ShuffleCube cube, SharedKeys keys, ShuffleSize size, ShuffleJob job)
    {
        ShuffleResult result = cube.Run(job);
        double unit = 8.0 * result.Bytes / cube.Shape.Count / cube.LinkBitsPerSecond;
        TreeKind kind = job.Trees == JobTrees.One ? TreeKind.Even : TreeKind.Six;
        var model = new ShuffleModel(cube.Shape, kind);
        var row = new ShuffleRow(
            result.Seconds,
            unit * (job.Combines ? model.Combined(keys.Share, result.Roots) : model.Merged(result.Roots)),
            unit * model.Switch(result.Roots),
            unit * model.SwitchOfSix(result.Roots),
            unit * model.OversubscribedSwitch(result.Roots)
        );
        long off = Off(cube, keys, job, kind, result);
        run.Table.Add(
            $"{cube.Shape}",
            job.Trees == JobTrees.One ? "one"
                : job.Combines ? "camdoop"
                : "no-aggregation",
            keys.Share,
            job.Reduces,
            result.Bytes / cube.Shape.Count,
            row.Seconds,
            row.Model,
            row.Switch,
            row.SwitchOfSix,
            row.Oversubscribed,
            off
        );
        run.Check(
            $"R = {job.Reduces}, S = {keys.Share:0.###}{(kind == TreeKind.Even ? ", one tree" : "")}"
                + $"{(job.Combines ? "" : ", no aggregation")}: "
                + "cables whose bytes are not the model's",
            off,
            Limit.Exactly(0)
        );
        return row;
    }

    /// <summary>Checks a time against its closed form.</summary>
    public static void CheckTime(
        FigureRun run,
        string what,
        ShuffleRow row,
        ShuffleSize size,
        double mostOver = MostOver
    )
    {
        double filling = Depth(size.Shape) * FrameSeconds * 1e9 / size.Terms.LinkBitsPerSecond;
        run.CheckTimed(what, row.Seconds / row.Model, Limit.AtMost(mostOver + (filling / row.Model)));
    }

    // Hops of the longest way in the trees.
    private static int Depth(TorusShape shape)
    {
        TreePlan plan = TreePlan.Create(shape, shape.At(0), TreeKind.Six);
        return Enumerable
            .Range(0, shape.Count)
            .Max(rank => Enumerable.Range(0, plan.Trees).Max(t => plan.Depth(t, shape.At(rank))));
    }

    private static long Off(ShuffleCube cube, SharedKeys keys, ShuffleJob job, TreeKind kind, ShuffleResult result)
    {
        Dictionary<(int Rank, Link Link), long> model = EdgeModel.BytesOf(
            cube.Shape,
            keys,
            result.Roots,
            job.Combines,
            job.Homes,
            kind
        );
        return model.Count(edge => result.OnLinks.GetValueOrDefault(edge.Key) != edge.Value);
    }
}
