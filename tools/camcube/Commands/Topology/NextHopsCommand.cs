using System.CommandLine;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using CamCube.Topology;

namespace CamCube.Tool.Commands.Topology;

/// <summary><c>camcube topology next-hops</c>: base routing (HPDC §3.3).</summary>
internal sealed class NextHopsCommand(CommonOptions common)
{
    private readonly ShapeOptions _cube = new(common);
    private readonly Option<ServerName> _from = ShapeOptions.Server("--from", "Where the packet is");
    private readonly Option<ServerName> _to = ShapeOptions.Server("--to", "Where it goes");

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command("next-hops", "All links that begin a shortest live path, and its hops (HPDC 3.3).")
        {
            _from,
            _to,
            _cube.Failed,
        };
        _cube.AddTo(command);
        examples[command] = """
            camcube topology next-hops --from 0,0,0 --to 1,2,0
            camcube topology next-hops --from 0,0,0 --to 2,0,0 --shape 4x4x4 --failed "1,0,0;3,0,0" --json
            """;
        command.SetAction(Run);
        return command;
    }

    private int Run(ParseResult parsed)
    {
        (Coordinate from, Coordinate to) = (_cube.ServerOf(parsed, _from), _cube.ServerOf(parsed, _to));
        CubeView view = _cube.ViewOf(parsed, (_from, from), (_to, to));
        var names = new List<string>();
        foreach (Link link in view.NextHops(from, to))
        {
            names.Add(link.Name());
        }

        int hops = view.HopsTo(from, to);
        string ways = hops < 0 ? "no live path" : $"{Report.Hops(hops)}, first on {string.Join(" or ", names)}";
        JsonOrText.Print(
            parsed,
            common,
            ToolJson.Of(new NextHopsAnswer([.. names], hops)),
            $"{view.Shape}, {from} to {to}: {ways}"
        );
        return ExitCode.Ok;
    }
}
