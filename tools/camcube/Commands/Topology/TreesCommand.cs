using System.CommandLine;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using CamCube.Topology;
using Spectre.Console;

namespace CamCube.Tool.Commands.Topology;

/// <summary><c>camcube topology trees</c>: the disjoint spanning trees (NSDI §4.1).</summary>
internal sealed class TreesCommand(CommonOptions common)
{
    private readonly ShapeOptions _cube = new(common);
    private readonly Option<ServerName> _root = ShapeOptions.Server("--root", "The root of all trees");

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command(
            "trees",
            "Spanning trees with one root and no link in common, as many as a server has links (NSDI 4.1). Text: the "
                + "link to the parent and the depth of each server in each tree."
        )
        {
            _root,
        };
        _cube.AddTo(command);
        examples[command] = """
            camcube topology trees --root 0,0,0
            camcube topology trees --shape 2x3x4 --parallel-cables false --root 1,0,2      five trees
            camcube topology trees --root 13 --json | jq '.trees[0].parent["0,0,0"]'
            """;
        command.SetAction(Run);
        return command;
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
