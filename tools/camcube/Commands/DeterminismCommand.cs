using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using CamCube.Simulator.Settings;
using CamCube.Swarm.Determinism;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube sim determinism</c>: equal seeds give equal runs, checked between processes.</summary>
internal sealed class DeterminismCommand(CommonOptions common)
{
    private const int MostServers = 512;

    private readonly Option<SeedRange> _seeds = new("--seeds")
    {
        Description = "Seeds to check.",
        HelpName = "A..B",
        DefaultValueFactory = _ => new SeedRange(1, 4),
        CustomParser = SeedRange.Read,
    };

    private readonly Option<TorusShape?> _shape = Values.Shape(
        "Axis sizes; drawn for each seed if not given.",
        shape => shape.Count is < 2 or > MostServers ? $"the scenarios are for 2 to {MostServers} servers" : null
    );

    private readonly Option<Duration> _duration = Values.Time(
        "--duration",
        "Virtual time of each run",
        TimeSpan.FromMilliseconds(30),
        TimeSpan.FromMilliseconds(1),
        TimeSpan.FromMinutes(1)
    );

    private readonly Option<IReadOnlyList<int>> _threads = new("--threads")
    {
        Description = $"Numbers of threads that simulate, each from 1 to {SimulatorOptions.MaxThreads}.",
        HelpName = "N,N...",
        DefaultValueFactory = _ => [1, 2],
        CustomParser = Values.Of<IReadOnlyList<int>>(
            ReadThreads,
            $"must be numbers from 1 to {SimulatorOptions.MaxThreads} with commas between them, as in 1,2"
        ),
    };

    // For the tests of the check itself: docs/command-line.md.
    private readonly Option<Duration?> _plant = Values.Optional<Duration>(
        "--plant",
        "TIME",
        "From this virtual time on one service uses its process id.",
        Duration.TryParse,
        "must be a time with its unit, as in 20ms"
    );

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        _plant.Hidden = true;
        var command = new Command(
            "determinism",
            "Runs scenarios with traffic, faults and restarts that are drawn from seeds, "
                + "each several times in processes of their own, "
                + "and compares everything that happened. Where two runs differ, it names the first event."
        )
        {
            _seeds,
            _shape,
            _duration,
            _threads,
            _plant,
        };
        common.RefuseHostOfSimulation(command);
        examples[command] = """
            camcube sim determinism                              four seeds, four processes each
            camcube sim determinism --seeds 1..100 --json
            camcube sim determinism --seeds 7 --shape 4x4x4 --duration 100ms --threads 1,2,3
            """;
        command.SetAction(RunAsync);
        return command;
    }

    private static bool ReadThreads(string text, out IReadOnlyList<int> threads)
    {
        var numbers = new List<int>();
        threads = numbers;
        foreach (string part in text.Split(','))
        {
            if (
                !int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out int number)
                || number is < 1 or > SimulatorOptions.MaxThreads
            )
            {
                return false;
            }

            numbers.Add(number);
        }

        return true;
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancel)
    {
        var options = new DeterminismOptions(
            parsed.GetValue(_shape)?.ToString(),
            Nanos(parsed.GetValue(_duration)),
            parsed.GetValue(_threads)!,
            parsed.GetValue(_plant) is { } plant ? Nanos(plant) : null
        );
        SeedRange seeds = parsed.GetValue(_seeds);
        bool isJson = parsed.GetValue(common.Json);
        var report = new Report(parsed.InvocationConfiguration.Output);
        if (!isJson)
        {
            report.Line(DeterminismText.Head);
        }

        var results = new List<SeedResult>();
        for (int i = 0; i < seeds.Count; i++)
        {
            SeedResult result = await DeterminismCheck.RunAsync(seeds.First + (ulong)i, options, cancel);
            results.Add(result);
            foreach (string line in isJson ? [] : DeterminismText.Of(result))
            {
                report.Line(line);
            }
        }

        bool equal = results.All(result => result.Equal);
        if (isJson)
        {
            report.Line(
                ToolJson.Of(
                    new
                    {
                        options.Threads,
                        DurationMs = options.DurationNanos / 1e6,
                        Seeds = results,
                        Equal = equal,
                    }
                )
            );
        }

        return equal ? ExitCode.Ok : ExitCode.Failed;
    }

    private static long Nanos(Duration duration) => duration.Value.Ticks * 100;
}
