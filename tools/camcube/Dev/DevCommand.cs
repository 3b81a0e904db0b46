using System.CommandLine;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Dev;

/// <summary><c>camcube dev</c>: a service in a running cube, built anew and reloaded whenever its sources
/// change.</summary>
internal static class DevCommand
{
    private static readonly TorusShape Standard = new(3, 3, 3);

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var words = new Argument<string[]>("DIR|--SETTING")
        {
            Description =
                "The service's project, or its folder; the one here, or in the folders here, if not given. Then, "
                + "behind --, settings of the host.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        Option<string> service = new("--service")
        {
            Description = "Which service, if the project has several.",
            HelpName = "NAME",
        };
        Option<TorusShape?> shape = Values.Shape("Axis sizes of the cube.", standard: Standard);
        Option<int?> port = new("--port")
        {
            Description = "First HTTP port; memcached's are behind them. 8080 and 11211 if not given.",
            HelpName = "N",
            CustomParser = Values.Of<int?>(ReadPort, "must be a port from 1 to 65535"),
        };
        Option<string> settings = new("--settings")
        {
            Description = "Settings file of the host; settings.json in DIR or beside the project if there is one.",
            HelpName = "FILE",
        };
        Option<string> configuration = new("--configuration")
        {
            Description = "Configuration that is built.",
            HelpName = "NAME",
            DefaultValueFactory = _ => "Debug",
        };
        Option<Duration> timeout = Values.Time(
            "--build-timeout",
            "How long a build may take",
            TimeSpan.FromMinutes(2),
            TimeSpan.FromSeconds(1),
            TimeSpan.FromHours(1)
        );
        var command = new Command("dev", "Runs a service in a cube of this process, and each new build of it at once.")
        {
            words,
            service,
            shape,
            port,
            settings,
            configuration,
            timeout,
        };
        common.RefuseHost(command, "dev runs a host itself; --port says where.");
        examples[command] = """
            camcube dev                                          the service here
            camcube dev Hello --shape 4x4x4                      the one in folder Hello, in a larger cube
            camcube dev Hello --port 9080                        beside another host
            camcube dev Hello --json                             a line of JSON for each event, for editors
            camcube dev Hello -- --CamCube:DataFolder=data       with files for services
            """;
        command.SetAction(
            (parsed, cancel) =>
            {
                string[] given = parsed.GetValue(words) ?? [];
                int further = Array.FindIndex(given, static word => word.StartsWith("--", StringComparison.Ordinal));
                string[] named = further < 0 ? given : given[..further];
                if (named.Length > 1)
                {
                    throw new ToolException(ExitCode.Usage, $"'{named[1]}' is too much; dev runs one project.");
                }

                string folder = named.FirstOrDefault(".");
                string project = DevProject.Find(folder);
                var options = new DevOptions(project)
                {
                    Service = parsed.GetValue(service),
                    Shape = parsed.GetValue(shape) ?? Standard,
                    Port = parsed.GetValue(port),
                    Settings = SettingsOf(parsed.GetValue(settings), folder, project),
                    Configuration = parsed.GetRequiredValue(configuration),
                    BuildTimeout = parsed.GetValue(timeout).Value,
                    Further = further < 0 ? [] : given[further..],
                    UsualHost = parsed.GetRequiredValue(common.Host).Root,
                };
                InvocationConfiguration console = parsed.InvocationConfiguration;
                return parsed.GetValue(common.Json)
                    ? RunInJsonAsync(options, console, cancel)
                    : new DevSession(
                        options,
                        new DevText(console.Output),
                        console.Output,
                        console.Error,
                        TimeProvider.System,
                        log: null
                    ).RunAsync(cancel);
            }
        );
        return command;
    }

    // Standard output has events and nothing else: what the host says there goes to standard error.
    private static async Task<int> RunInJsonAsync(
        DevOptions options,
        InvocationConfiguration console,
        CancellationToken cancel
    )
    {
        using var voice = new DevJson(console.Output);
        int code = await new DevSession(
            options,
            voice,
            console.Error,
            console.Error,
            TimeProvider.System,
            voice
        ).RunAsync(cancel);
        await voice.EndAsync();
        return code;
    }

    private static bool ReadPort(string text, out int? value)
    {
        bool ok = ushort.TryParse(text, out ushort port) && port > 0;
        value = port;
        return ok;
    }

    private static string? SettingsOf(string? said, string folder, string project)
    {
        if (said is not null)
        {
            return File.Exists(said)
                ? Path.GetFullPath(said)
                : throw new ToolException(ExitCode.Usage, $"--settings {said}: there is no such file.");
        }

        string[] usual = [Path.GetDirectoryName(project)!, Path.GetFullPath(folder)];
        return usual.Select(place => Path.Combine(place, "settings.json")).FirstOrDefault(File.Exists);
    }
}
