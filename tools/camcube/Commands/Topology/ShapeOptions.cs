using System.CommandLine;
using System.CommandLine.Parsing;
using CamCube.Tool.Syntax;
using CamCube.Topology;

namespace CamCube.Tool.Commands.Topology;

/// <summary>
/// The shape of the cube, and how servers of it and lists of failed ones are named: in all topology commands.
/// </summary>
internal sealed class ShapeOptions(CommonOptions common)
{
    private readonly Option<TorusShape?> _shape = Values.Shape("Axis sizes.", standard: new TorusShape(3, 3, 3));

    private readonly Option<string> _parallelCables = Values.ParallelCables();

    /// <summary>Servers that do not work, with all their cables.</summary>
    public Option<ServerName[]> Failed { get; } =
        new("--failed")
        {
            Description = "Servers that failed, with semicolons between them.",
            HelpName = "SERVER;...",
            DefaultValueFactory = _ => [],
            CustomParser = Values.Of<ServerName[]>(
                ReadServers,
                "must be servers with semicolons between them, as in \"1,0,0;0,2,0\""
            ),
        };

    /// <summary>An option that names a server, which must be given.</summary>
    public static Option<ServerName> Server(string name, string description) =>
        new(name)
        {
            Description = $"{description}: a coordinate (1,1,1) or a rank (13).",
            HelpName = "SERVER",
            Required = true,
            CustomParser = Values.Of<ServerName>(
                ServerName.TryParse,
                "is not a server; name it by coordinate, as in 1,1,1, or by rank, as in 13"
            ),
        };

    /// <summary>Adds the shape to a command, and refuses a host's address there.</summary>
    public void AddTo(Command command)
    {
        AddShapeTo(command);
        common.RefuseHost(command, "topology asks no host; --host is for commands that do.");
    }

    /// <summary>Adds the shape to a command that may ask a host, too.</summary>
    public void AddShapeTo(Command command)
    {
        command.Add(_shape);
        command.Add(_parallelCables);
    }

    /// <summary>Whether a shape was given.</summary>
    public bool IsGiven(SymbolResult result) =>
        result.GetResult(_shape) is { Implicit: false } || result.GetResult(_parallelCables) is { Implicit: false };

    /// <summary>The shape that was given.</summary>
    public TorusShape ShapeOf(ParseResult parsed) =>
        parsed.GetValue(_shape)!.Value with
        {
            ParallelCables = parsed.GetValue(_parallelCables) == "true",
        };

    /// <summary>The server that an option names.</summary>
    /// <exception cref="ToolException">It lies outside of the shape.</exception>
    public Coordinate ServerOf(ParseResult parsed, Option<ServerName> option) =>
        parsed.GetValue(option).In(ShapeOf(parsed), option.Name);

    /// <summary>The whole cube less the failed servers.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="ends">Servers that must not be among the failed, by the option that named them.</param>
    /// <exception cref="ToolException">One lies outside of the shape, or one of the ends failed.</exception>
    public CubeView ViewOf(ParseResult parsed, params ReadOnlySpan<(Option Option, Coordinate Server)> ends)
    {
        TorusShape shape = ShapeOf(parsed);
        CubeView view = CubeView.Whole(shape);
        foreach (ServerName name in parsed.GetValue(Failed) ?? [])
        {
            Coordinate dead = name.In(shape, Failed.Name);
            foreach ((Option option, Coordinate server) in ends)
            {
                if (dead == server)
                {
                    throw new ToolException(
                        ExitCode.Usage,
                        $"--failed names {dead}, which is {option.Name}; a failed server is no end of a path."
                    );
                }
            }

            view = view.With(new CubeEntry(dead, 1, 1, 0));
        }

        return view;
    }

    private static bool ReadServers(string text, out ServerName[] servers)
    {
        string[] parts = text.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        servers = new ServerName[parts.Length];
        for (int i = 0; i < parts.Length; i++)
        {
            if (!ServerName.TryParse(parts[i], out servers[i]))
            {
                return false;
            }
        }

        return true;
    }
}
