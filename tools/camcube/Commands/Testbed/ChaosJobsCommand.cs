using System.CommandLine;
using System.Globalization;
using CamCube.Chaos.Jobs;
using CamCube.Chaos.Settings;
using CamCube.Testbed;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands.Testbed;

/// <summary><c>camcube testbed chaos-jobs</c>: MapReduce in real processes, a fault in each job, and whether output and
/// counters are those of a job without.</summary>
internal sealed class ChaosJobsCommand(CommonOptions common)
{
    private static readonly JobChaosOptions Standard = new() { Name = "", Program = "" };

    private readonly Option<string> _name = TestbedCommand.Name("chaos-jobs");

    private readonly Option<TorusShape?> _shape = Values.Shape(
        "Axis sizes; 8 to 64 servers.",
        shape => shape.Count is < 8 or > 64 ? "a run has 8 to 64 servers" : null,
        new TorusShape(3, 3, 3)
    );

    private readonly Option<int> _jobs = Values.Whole(
        "--jobs",
        "Jobs, each with a fault in it",
        Standard.Jobs,
        1,
        100_000
    );

    private readonly Option<Duration> _limit = Values.Time(
        "--limit",
        "How long a job may take",
        Standard.JobTime,
        TimeSpan.FromSeconds(10),
        TimeSpan.FromHours(1)
    );

    private readonly Option<Duration> _settle = Values.Time(
        "--settle",
        "How long the servers may take to have all copies again after each job",
        Standard.SettleTime,
        TimeSpan.FromSeconds(10),
        TimeSpan.FromHours(1)
    );

    private readonly Option<ulong> _seed = Values.Seed();

    private readonly Option<string?> _program = new("--program")
    {
        Description = "The host's program. Without it, CamCube.Host as built beside this tool.",
        HelpName = "PATH",
    };

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command(
            "chaos-jobs",
            "Makes a testbed with MapReduce, runs jobs while processes are killed and stopped, cables cut and disks "
                + "filled, and compares their output and counters with those of jobs to which nothing happens."
        )
        {
            _name,
            _shape,
            _jobs,
            _limit,
            _settle,
            _seed,
            _program,
        };
        examples[command] = """
            sudo camcube testbed chaos-jobs                       50 jobs on 27 servers
            sudo camcube testbed chaos-jobs --shape 2x2x2 --jobs 7 --seed 3
            sudo camcube testbed chaos-jobs --json | jq .violations
            """;
        command.SetAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancel)
    {
        var options = new JobChaosOptions
        {
            Name = parsed.GetRequiredValue(_name),
            Program = HostProgramFile.Find(parsed.GetValue(_program)),
            Shape = parsed.GetValue(_shape)!.Value.ToString(),
            Jobs = parsed.GetValue(_jobs),
            JobTime = parsed.GetValue(_limit).Value,
            SettleTime = parsed.GetValue(_settle).Value,
            Seed = parsed.GetValue(_seed),
        };
        TextWriter error = TextWriter.Synchronized(parsed.InvocationConfiguration.Error);
        JobChaosResult result = await new JobChaosRun(options, error.WriteLine).RunAsync(cancel);
        JsonOrText.Print(
            parsed,
            common,
            ToolJson.Of(
                new
                {
                    Faults = result.Faults.ToDictionary(static one => $"{one.Key}", static one => one.Value),
                    Jobs = result.Jobs.Select(static one => new
                    {
                        one.Name,
                        Seconds = Math.Round(one.Seconds, 3),
                        one.Attempts,
                    }),
                    Undisturbed = result.Undisturbed.ToDictionary(
                        static one => one.Key,
                        static one => Math.Round(one.Value.Seconds, 3)
                    ),
                    result.Violations,
                }
            ),
            report => Show(report, result)
        );
        return result.Violations.Count == 0 ? ExitCode.Ok : ExitCode.Failed;
    }

    private static void Show(Report report, JobChaosResult result)
    {
        report.Line($"faults: {string.Join(", ", result.Faults.Select(static one => $"{one.Value} {one.Key}"))}");
        report.Line(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{result.Jobs.Count:N0} jobs took {result.Jobs.Min(static one => one.Seconds):0.0} to "
                    + $"{result.Jobs.Max(static one => one.Seconds):0.0} s, undisturbed "
            )
                + string.Join(
                    ", ",
                    result.Undisturbed.Select(static one =>
                        string.Create(CultureInfo.InvariantCulture, $"{one.Key} {one.Value.Seconds:0.0} s")
                    )
                )
        );
        foreach (string violation in result.Violations)
        {
            report.Line($"VIOLATION {violation}");
        }

        if (result.Violations.Count == 0)
        {
            report.Line("output and counters of all are those of jobs to which nothing happened");
        }
    }
}
