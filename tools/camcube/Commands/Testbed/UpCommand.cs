using System.CommandLine;
using System.CommandLine.Parsing;
using System.Diagnostics;
using CamCube.Testbed;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Testbed;

/// <summary><c>camcube testbed up</c>.</summary>
internal sealed class UpCommand(CommonOptions common)
{
    private static readonly string[] Fixed =
    [
        "CamCube:Http:Port",
        "CamCube:Http:Address",
        "CamCube:Shape",
        "CamCube:ParallelCables",
    ];

    private readonly Option<string> _name = TestbedCommand.Name();

    private readonly Option<TorusShape?> _shape = Values.Shape(
        $"Axis sizes; at most {TestbedPlan.MostServers} servers.",
        shape =>
            shape.Count is < 2 or > TestbedPlan.MostServers
                ? $"a testbed has 2 to {TestbedPlan.MostServers} servers"
                : null,
        new TorusShape(3, 3, 3)
    );

    private readonly Option<string> _parallelCables = Values.ParallelCables();

    private readonly Option<BitRate> _rate = new("--rate")
    {
        Description = "Rate of each link (1mbit to 100gbit). Without it, as fast as this machine is.",
        HelpName = "RATE",
        CustomParser = Values.Of<BitRate>(
            BitRate.TryParse,
            "must be a rate from 1mbit to 100gbit with its unit, as in 100mbit or 2.5gbit"
        ),
    };

    private readonly Option<int> _mtu = Values.Whole(
        "--mtu",
        "Largest frame of a cable without its 14-byte header",
        9_000,
        576,
        9_216
    );

    private readonly Option<string> _shim = new("--shim")
    {
        Description =
            "What moves frames: ethernet or udp; switch: servers have a port of a bridge each, and no cables.",
        HelpName = "ethernet|udp|switch",
        DefaultValueFactory = _ => "ethernet",
        CustomParser = Values.Of<string>(
            (string text, out string value) => (value = text) is "ethernet" or "udp" or "switch",
            "must be ethernet, udp or switch"
        ),
    };

    private readonly Option<bool> _fixedPlaces = new("--fixed-places")
    {
        Description = "Servers are told their places (CamCube:Coordinate) and do not find them from the cabling.",
    };

    private readonly Option<bool> _tunnel = new("--tunnel")
    {
        Description = "Every server has the tunnel: a network card cc0, by which programs use the cube.",
    };

    private readonly Option<Duration> _detection = Values.Time(
        "--detection",
        "Silence after which a neighbour is suspected",
        TimeSpan.FromSeconds(1),
        TimeSpan.FromMilliseconds(10),
        TimeSpan.FromMinutes(1)
    );

    private readonly Option<ByteCount?> _disk = Values.Optional<ByteCount>(
        "--disk",
        "SIZE",
        "A file system of its own of this size for each server's files, in memory; without it they share that of /run.",
        ByteCount.TryParse,
        "must be a number of bytes with its unit, as in 256MiB"
    );

    private readonly Option<string?> _program = new("--program")
    {
        Description = "The host's program. Without it, CamCube.Host as built beside this tool.",
        HelpName = "PATH",
    };

    private readonly Option<string[]> _set = new("--set")
    {
        Description = "A further setting of every server, as in Services:cache:MemoryLimit=64MiB; can be repeated.",
        HelpName = "KEY=VALUE",
        DefaultValueFactory = _ => [],
        CustomParser = ReadSettings,
        Arity = ArgumentArity.OneOrMore,
        AllowMultipleArgumentsPerToken = false,
    };

    private readonly Option<Duration> _timeout = Values.Time(
        "--timeout",
        "Time for all servers to get ready",
        TimeSpan.FromSeconds(60),
        TimeSpan.FromSeconds(1),
        TimeSpan.FromHours(1)
    );

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command(
            "up",
            "Makes namespaces and cables, starts a server in each, and returns when all are ready; they go on running."
        )
        {
            _name,
            _shape,
            _parallelCables,
            _rate,
            _mtu,
            _shim,
            _fixedPlaces,
            _tunnel,
            _detection,
            _disk,
            _program,
            _set,
            _timeout,
        };
        examples[command] = """
            sudo camcube testbed up                              27 servers, 81 cables
            sudo camcube testbed up --shape 1x1x4 --name ring    four servers in a ring, beside the first one
            sudo camcube testbed up --shim udp --rate 20mbit     over UDP, on slow cables
            sudo camcube testbed up --shape 4x1x1 --tunnel       with network cards, for ordinary programs
            sudo camcube testbed up --fixed-places --set Logging:LogLevel:Default=Information
            """;
        command.SetAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancel)
    {
        TestbedPlan plan = Plan(parsed);
        long begin = Stopwatch.GetTimestamp();
        var report = new Report(parsed.InvocationConfiguration.Output);
        bool json = parsed.GetValue(common.Json);
        TextWriter error = parsed.InvocationConfiguration.Error;
        var builder = new TestbedBuilder(
            plan,
            line => (json ? error : parsed.InvocationConfiguration.Output).WriteLine(line)
        );
        TestbedState state = await builder.BuildAsync(parsed.GetValue(_timeout).Value, cancel);
        if (json)
        {
            report.Line(
                ToolJson.Of(
                    new
                    {
                        plan.Name,
                        plan.Shape,
                        Servers = state.Servers.Count,
                        plan.Cables,
                        Seconds = Math.Round(Stopwatch.GetElapsedTime(begin).TotalSeconds, 3),
                    }
                )
            );
        }
        else
        {
            string name = plan.Name == TestbedNames.Standard ? "" : $" --name {plan.Name}";
            report.Line("Try:");
            report.Line(
                $"  camcube testbed exec{name} {state.Servers[^1].Coordinate} -- curl -s "
                    + $"http://127.0.0.1:{ServerLauncher.HttpPort}/api/status"
            );
            report.Line($"  camcube testbed status{name}");
            report.Line($"  camcube testbed down{name}");
        }

        return ExitCode.Ok;
    }

    private TestbedPlan Plan(ParseResult parsed)
    {
        TorusShape shape = parsed.GetValue(_shape)!.Value;
        string shim = parsed.GetRequiredValue(_shim);

        // A switch tells nobody where he is.
        bool parallel = parsed.GetValue(_parallelCables) == "true",
            fixedPlaces = parsed.GetValue(_fixedPlaces) || shim == "switch";
        return new TestbedPlan
        {
            Name = parsed.GetRequiredValue(_name),
            Shape = shape.ToString(),
            ParallelCables = parallel,
            Mtu = parsed.GetValue(_mtu),
            RateBitsPerSecond = parsed.GetValue(_rate).BitsPerSecond,
            DiskBytes = parsed.GetValue(_disk)?.Bytes ?? 0,
            Shim = shim,
            FixedPlaces = fixedPlaces,
            Tunnel = parsed.GetValue(_tunnel),
            Detection = parsed.GetValue(_detection).ToString(),
            Program = HostProgramFile.Find(parsed.GetValue(_program)),
            Settings = parsed.GetValue(_set) ?? [],
        };
    }

    private static string[] ReadSettings(ArgumentResult result)
    {
        var settings = new List<string>();
        foreach (Token token in result.Tokens)
        {
            string[] parts = token.Value.Split('=', 2);
            bool full =
                parts[0].StartsWith("CamCube:", StringComparison.OrdinalIgnoreCase)
                || parts[0].StartsWith("Logging:", StringComparison.OrdinalIgnoreCase);
            string key = full ? parts[0] : "CamCube:" + parts[0];
            if (parts.Length != 2 || parts[0].Length == 0)
            {
                result.AddError(
                    $"--set '{token.Value}' must be a setting and its value, as in Services:cache:MemoryLimit=64MiB."
                );
            }
            else if (Fixed.FirstOrDefault(name => name.Equals(key, StringComparison.OrdinalIgnoreCase)) is { } name)
            {
                result.AddError($"--set '{token.Value}': the testbed sets {name} itself.");
            }
            else
            {
                settings.Add($"{key}={parts[1]}");
            }
        }

        return [.. settings];
    }
}
