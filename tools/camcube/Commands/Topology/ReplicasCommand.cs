using System.CommandLine;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using CamCube.Topology;

namespace CamCube.Tool.Commands.Topology;

/// <summary><c>camcube topology replicas</c>: GetServersForKey (HPDC §3.2).</summary>
internal sealed class ReplicasCommand(CommonOptions common)
{
    private readonly ShapeOptions _cube = new(common);
    private readonly Option<int> _count = Values.Whole("--count", "How many servers", 3, 1, TorusShape.MaxServers);

    private readonly Option<Key> _key = new("--key")
    {
        Description = "The key: 40 hex digits.",
        HelpName = "HEX",
        Required = true,
        CustomParser = Values.Of<Key>(
            (string text, out Key key) => Key.TryParse(text, out key),
            "is not a key; a key is 40 hex digits"
        ),
    };

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command(
            "replicas",
            "The home of a key, and the live servers that have it: the root first, then those that take over "
                + "(HPDC 3.2). Failures that part the cube: as the largest part sees it."
        )
        {
            _key,
            _count,
            _cube.Failed,
        };
        _cube.AddTo(command);
        examples[command] = """
            camcube topology replicas --key 0123456789abcdef0123456789abcdef01234567
            camcube topology replicas --key $(printf hello | sha1sum | cut -c-40) --count 4 --json
            camcube topology replicas --key 0123456789abcdef0123456789abcdef01234567 --failed "1,1,1;0,0,0"
            """;
        command.SetAction(Run);
        return command;
    }

    private int Run(ParseResult parsed)
    {
        TorusShape shape = _cube.ShapeOf(parsed);
        CubeView view = _cube.ViewOf(parsed);
        Key key = parsed.GetValue(_key);
        Coordinate home = key.HomeIn(shape);
        var servers = new Coordinate[Math.Min(parsed.GetValue(_count), shape.Count)];
        servers = servers[..view.GetServersForKey(key.Route, Observer(view), servers)];
        var answer = new ReplicasAnswer(home.ToString(), [.. servers.Select(server => server.ToString())]);
        JsonOrText.Print(
            parsed,
            common,
            ToolJson.Of(answer),
            report =>
            {
                report.Line($"{shape}, key {key}: home {home}");
                for (int i = 0; i < servers.Length; i++)
                {
                    string what = i == 0 ? "root   " : $"replica {i}";
                    report.Line(
                        $"  {what, -10} {servers[i]} (rank {shape.RankOf(servers[i])}), "
                            + $"{Report.Hops(shape.Distance(home, servers[i]))} from the home"
                    );
                }
            }
        );
        return ExitCode.Ok;
    }

    /// <summary>A live server of the largest part of the cube; of equal parts the one with the lowest rank.</summary>
    private static Coordinate Observer(CubeView view)
    {
        (int best, Coordinate observer) = (0, default);
        for (int rank = 0; rank < view.Shape.Count; rank++)
        {
            Coordinate server = view.Shape.At(rank);
            if (view.EntryOf(server).Bits != 0 && view.ReachableCount(server) > best)
            {
                (best, observer) = (view.ReachableCount(server), server);
            }
        }

        return best > 0
            ? observer
            : throw new ToolException(ExitCode.Usage, "--failed names every server; at least one must live.");
    }
}
