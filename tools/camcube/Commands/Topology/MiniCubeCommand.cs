using System.CommandLine;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using CamCube.Topology;

namespace CamCube.Tool.Commands.Topology;

/// <summary><c>camcube topology minicube</c>: the way of a join (SIGCOMM §3.2).</summary>
internal sealed class MiniCubeCommand(CommonOptions common)
{
    private readonly ShapeOptions _cube = new(common);
    private readonly Option<ServerName> _from = ShapeOptions.Server("--from", "The server that joins");
    private readonly Option<ServerName> _root = ShapeOptions.Server("--root", "The root of the multicast");

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command("minicube", "The way of a join to the root by mini-cube routing (SIGCOMM 3.2).")
        {
            _from,
            _root,
        };
        _cube.AddTo(command);
        examples[command] = """
            camcube topology minicube --shape 8x8x8 --from 3,2,4 --root 0,0,0
            camcube topology minicube --shape 20x20x20 --from 9,17,4 --root 13,0,2 --json
            """;
        command.SetAction(Run);
        return command;
    }

    private int Run(ParseResult parsed)
    {
        TorusShape shape = _cube.ShapeOf(parsed);
        (Coordinate from, Coordinate root) = (_cube.ServerOf(parsed, _from), _cube.ServerOf(parsed, _root));
        MiniCubeRoutes routes = MiniCubeRoutes.For(shape);
        Coordinate[] path = routes.Path(from, root);
        var answer = new MiniCubeAnswer([.. path.Select(server => server.ToString())]);
        JsonOrText.Print(
            parsed,
            common,
            ToolJson.Of(answer),
            report =>
            {
                report.Line($"{shape}, {from} to {root}: {Report.Hops(path.Length - 1)}");
                foreach (Coordinate server in path)
                {
                    string next = server == root ? "root" : routes.NextHop(server, root).Name();
                    var away = Enumerable.Range(0, 3).Select(axis => shape.Distance(server, root, axis));
                    report.Line($"  {server} {next}, {string.Join(',', away)} hops away");
                }
            }
        );
        return ExitCode.Ok;
    }
}
