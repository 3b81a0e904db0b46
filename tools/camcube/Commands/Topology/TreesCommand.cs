using System.CommandLine;
using System.CommandLine.Parsing;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using CamCube.Topology;
using Spectre.Console;

namespace CamCube.Tool.Commands.Topology;

/// <summary><c>camcube topology trees</c>: the disjoint spanning trees (NSDI §4.1), or those of a job that
/// runs.</summary>
internal sealed class TreesCommand(CommonOptions common)
{
    /// <summary>The command's name: of those about the topology the one that may ask a host.</summary>
    public const string Name = "trees";

    private readonly ShapeOptions _cube = new(common);
    private readonly Option<ServerName> _root = OptionalRoot();
    private readonly Option<string?> _job = new("--job")
    {
        Description = "Those of a file that a host's servers distribute: its ID, as 'distribute list' prints it.",
        HelpName = "ID",
    };

    private readonly Option<string?> _group = new("--group")
    {
        Description = "Those of a group of the collectives: its name, as 'collective groups' prints it.",
        HelpName = "NAME",
    };

    private readonly Option<int?> _rank = new("--rank")
    {
        Description =
            "With --group: the tree of this member, for operations in parts (reduce-scatter, allgather). Else those of "
            + "rank 0, for all others.",
        HelpName = "RANK",
    };

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command(
            Name,
            "Spanning trees with one root and no link in common, as many as a server has links (NSDI 4.1). Text: the "
                + "link to the parent and the depth of each server in each tree."
        )
        {
            _root,
            _job,
            _group,
            _rank,
        };
        _cube.AddShapeTo(command);
        command.Validators.Add(Check);
        examples[command] = """
            camcube topology trees --root 0,0,0
            camcube topology trees --shape 2x3x4 --parallel-cables false --root 1,0,2      five trees
            camcube topology trees --root 13 --json | jq '.trees[0].parent["0,0,0"]'
            camcube topology trees --job 5f0c3a9e8d7b6a41        of a file on its way, at a running host
            camcube topology trees --group training/1 --rank 5   along which a part of a reduce-scatter goes
            camcube topology trees --group training/1 --json | jq '.[] | select(.depth == 1)'
            """;
        command.SetAction(RunAsync);
        return command;
    }

    private static Option<ServerName> OptionalRoot()
    {
        Option<ServerName> root = ShapeOptions.Server("--root", "The root of all trees; needs no host");
        root.Required = false;
        return root;
    }

    private void Check(SymbolResult result)
    {
        bool isOfHost = Has(_job) || Has(_group);
        if ((Has(_root) ? 1 : 0) + (Has(_job) ? 1 : 0) + (Has(_group) ? 1 : 0) != 1)
        {
            result.AddError("One of --root SERVER, --job ID and --group NAME is needed.");
        }
        else if (Has(_rank) && !Has(_group))
        {
            result.AddError("--rank is for --group.");
        }
        else if (isOfHost && _cube.IsGiven(result))
        {
            result.AddError("The trees of what runs are those of the host's own shape: leave --shape out.");
        }
        else if (!isOfHost && Has(common.Host))
        {
            result.AddError("topology trees --root asks no host; --host is for --job and --group.");
        }

        bool Has(Option option) => result.GetResult(option) is { Implicit: false };
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancel)
    {
        (string? job, string? group) = (parsed.GetValue(_job), parsed.GetValue(_group));
        if (job is null && group is null)
        {
            return Run(parsed);
        }

        using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
        var trees = new TreesHost(host);
        string json = job is not null
            ? await trees.OfJobAsync(job, cancel)
            : await trees.OfGroupAsync(group!, parsed.GetValue(_rank), cancel);
        string what = job is not null ? $"Job {job}" : $"Group {group}";
        JsonOrText.Print(parsed, common, json, report => TreesText.Show(report, what, trees.Read(json)));
        return ExitCode.Ok;
    }

    private int Run(ParseResult parsed)
    {
        DisjointTrees trees = DisjointTrees.For(_cube.ShapeOf(parsed));
        Coordinate root = _cube.ServerOf(parsed, _root);
        JsonOrText.Print(parsed, common, ToolJson.Of(AnswerOf(trees, root)), report => Print(report, trees, root));
        return ExitCode.Ok;
    }

    private static void Print(Report report, DisjointTrees trees, Coordinate root)
    {
        var names = new List<Link>();
        foreach (Link tree in trees.Trees)
        {
            names.Add(tree);
        }

        report.Line($"{trees.Shape}, root {root}: {names.Count} trees");
        if (names.Count > 0)
        {
            report.Print(Show(trees, root, [.. names]));
        }
    }

    private static TreesAnswer AnswerOf(DisjointTrees trees, Coordinate root)
    {
        var answers = new List<TreeAnswer>();
        foreach (Link tree in trees.Trees)
        {
            var parents = new Dictionary<string, string>(trees.Shape.Count);
            foreach (Coordinate server in Others(trees.Shape, root))
            {
                parents.Add(server.ToString(), trees.Parent(tree, root, server).ToString());
            }

            answers.Add(new TreeAnswer(tree.Axis(), tree.Sign(), parents));
        }

        TorusShape shape = trees.Shape;
        return new TreesAnswer([shape.X, shape.Y, shape.Z], [root.X, root.Y, root.Z], [.. answers]);
    }

    private static Table Show(DisjointTrees trees, Coordinate root, Link[] names)
    {
        Table table = Report.Table(["server", .. names.Select(tree => $">tree {tree.Name()}")]);
        var depths = new int[names.Length][];
        for (int i = 0; i < names.Length; i++)
        {
            depths[i] = [.. Others(trees.Shape, root).Select(server => trees.Depth(names[i], root, server))];
        }

        int row = 0;
        foreach (Coordinate server in Others(trees.Shape, root))
        {
            Report.Row(
                table,
                [
                    server.ToString(),
                    .. names.Select((tree, i) => $"{trees.ParentLink(tree, root, server).Name()} {depths[i][row], 3}"),
                ]
            );
            row++;
        }

        Report.Row(table, ["deepest", .. depths.Select(tree => $"{tree.Max()}")]);
        Report.Row(table, ["mean depth", .. depths.Select(tree => Report.Decimal(tree.Average(), 2))]);
        return table;
    }

    private static IEnumerable<Coordinate> Others(TorusShape shape, Coordinate root) =>
        Enumerable.Range(0, shape.Count).Select(shape.At).Where(server => server != root);
}
