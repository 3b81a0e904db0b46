using System.CommandLine;
using CamCube.Host;
using CamCube.Tool.Hosts;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube run</c>: the host and its bundled services in this process, with others beside them.</summary>
internal static class RunCommand
{
    /// <summary>Its name: what is behind it is the host's.</summary>
    public const string Name = "run";

    /// <summary>The command.</summary>
    public static Command Create(Dictionary<Command, string> examples)
    {
        var words = new Argument<string[]>("SERVICE|--SETTING")
        {
            Description =
                "Services of your own: projects that were built, folders with an assembly, or assemblies. Then "
                + "settings of the host; 'camcube run -- --help' lists them.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        var command = new Command(Name, "Runs a host in this process: a cube of 3x3x3 servers if nothing else is said.")
        {
            words,
        };
        examples[command] = """
            camcube run                                          a cube with the bundled services
            camcube run Hello                                    and with the service that was built in folder Hello
            camcube run Hello --shape 4x4x4 --settings my.json   of another shape, with settings of its own
            camcube run -- --help                                every setting of the host and its default
            """;
        command.SetAction(
            (parsed, cancel) => CamCubeHost.RunAsync(Arguments(parsed.GetValue(words) ?? []), "camcube", cancel: cancel)
        );
        return command;
    }

    // Settings that name the services come first, so that one who says more of them has the last word.
    private static string[] Arguments(string[] words)
    {
        int settings = Array.FindIndex(words, static word => word.StartsWith("--", StringComparison.Ordinal));
        string[] services = settings < 0 ? words : words[..settings];
        return
        [
            .. services
                .Select(BuiltService.Find)
                .SelectMany(static found => found.Names.Select(name => (name, found.Path)))
                .Select(static service => $"--CamCube:Services:{service.name}:Assembly={service.Path}"),
            .. words[services.Length..],
        ];
    }
}
