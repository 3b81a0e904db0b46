using System.CommandLine;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using CamCube.Topology;

namespace CamCube.Tool.Commands.Topology;

/// <summary><c>camcube topology paths</c>: link-disjoint paths (SIGCOMM §3.1).</summary>
internal sealed class PathsCommand(CommonOptions common)
{
    private readonly ShapeOptions _cube = new(common);
    private readonly Option<ServerName> _from = ShapeOptions.Server("--from", "Where packets start");
    private readonly Option<ServerName> _to = ShapeOptions.Server("--to", "Where they go");

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command("paths", "Paths between two servers that share no link (SIGCOMM 3.1).")
        {
            _from,
            _to,
        };
        _cube.AddTo(command);
        examples[command] = """
            camcube topology paths --from 0,0,0 --to 1,1,1                    three paths of three hops
            camcube topology paths --shape 8x8x8 --from 0 --to 3,0,0          five, four of them detours
            camcube topology paths --from 0,0,0 --to 1,1,0 --json
            """;
        command.SetAction(Run);
        return command;
    }

    private int Run(ParseResult parsed)
    {
        TorusShape shape = _cube.ShapeOf(parsed);
        (Coordinate from, Coordinate to) = (_cube.ServerOf(parsed, _from), _cube.ServerOf(parsed, _to));
        Coordinate[][] paths = DisjointPaths.For(shape).Paths(from, to);
        var answer = new PathsAnswer([.. paths.Select(path => path.Select(server => server.ToString()).ToArray())]);
        JsonOrText.Print(
            parsed,
            common,
            ToolJson.Of(answer),
            report =>
            {
                string shortest = Report.Hops(shape.Distance(from, to));
                report.Line($"{shape}, {from} to {to}: {paths.Length} paths, the shortest way is {shortest}");
                foreach (Coordinate[] path in paths)
                {
                    report.Line($"  {path.Length - 1, 3} hops: {string.Join(" -> ", path)}");
                }
            }
        );
        return ExitCode.Ok;
    }
}
