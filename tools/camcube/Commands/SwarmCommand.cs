using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using CamCube.Simulator.Swarm;
using CamCube.Swarm.Recordings;
using CamCube.Swarm.Runs;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube sim swarm</c>: many cubes under drawn faults, with checkers.</summary>
internal sealed class SwarmCommand(CommonOptions common)
{
    private readonly Option<SeedRange> _seeds = new("--seeds", "--seed")
    {
        Description = "Seeds to run, one run each",
        HelpName = "N|FIRST..LAST",
        DefaultValueFactory = _ => new SeedRange(1, 24),
        CustomParser = SeedRange.Read,
    };

    private readonly Option<string?> _shape = new("--shape")
    {
        Description = "Axis sizes for all runs instead of drawn ones.",
        HelpName = "XxYxZ",
        CustomParser = result =>
        {
            string text = result.Tokens[0].Value;
            if (TorusShape.TryParse(text, out TorusShape shape) is { } fault)
            {
                result.AddError($"--shape {text}: {fault}.");
            }
            else if (shape.Count > MostServers)
            {
                result.AddError($"--shape {text}: a swarm run has at most {MostServers} servers.");
            }

            return shape.ToString();
        },
    };

    private readonly Option<string[]?> _services = Names(
        "--services",
        "Services for all runs instead of drawn ones",
        [.. SwarmRunner.Services, .. SwarmRunner.OnlyAsked],
        "service"
    );

    private readonly Option<string[]?> _faults = Names(
        "--faults",
        "Faults that are on in all runs instead of drawn ones; none for no faults",
        [.. FaultNames.All, "none"],
        "fault"
    );

    private readonly Option<int> _workers = Values.Whole(
        "--workers",
        "Runs at a time",
        Math.Min(Environment.ProcessorCount, 64),
        1,
        64
    );

    private readonly Option<string?> _out = new("--out")
    {
        Description = $"Folder for {SwarmFile.FileName}: every run with its options, for --replay.",
        HelpName = "DIR",
    };

    private readonly Option<string?> _replay = new("--replay")
    {
        Description = "Runs what a result file says: its failed runs, or those of --seeds.",
        HelpName = "FILE",
    };

    private readonly RecordingOptions _recording = new();

    private const int MostServers = 4_096;

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command(
            "swarm",
            "Runs cubes under faults, one per seed: shape, rates, services and faults are drawn from the seed. "
                + "Checkers "
                + "compare with what is really so; a failure names its seed and the command that runs it again."
        )
        {
            _seeds,
            _shape,
            _services,
            _faults,
            _workers,
            _out,
            _replay,
        };
        _recording.AddTo(command);
        common.RefuseHostOfSimulation(command);
        examples[command] = """
            camcube sim swarm                                       24 seeds, the smoke set of CI
            camcube sim swarm --seeds 1..1000 --out results         the full run
            camcube sim swarm --seed 17                             one seed again, with its trace hash
            camcube sim swarm --seeds 1..50 --shape 4x4x4 --services keys,cache --faults crash,halves
            camcube sim swarm --replay results/swarm.json           what failed, with the options of the file
            camcube sim swarm --seed 17 --timeline run.json         its faults and packets, for ui.perfetto.dev
            """;
        command.SetAction(RunAsync);
        return command;
    }

    private static Option<string[]?> Names(string name, string description, string[] known, string what) =>
        new(name)
        {
            Description = $"{description}: {string.Join(',', known)}",
            HelpName = "NAME,...",
            CustomParser = result =>
            {
                string[] names = result.Tokens[0].Value.Split(',', StringSplitOptions.TrimEntries);
                string? unknown = Array.Find(names, n => !known.Contains(n));
                if (unknown is not null)
                {
                    result.AddError($"{name}: there is no {what} '{unknown}'; there are {string.Join(", ", known)}.");
                }

                return [.. names.Distinct()];
            },
        };

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancel)
    {
        List<SwarmOptions> all = parsed.GetValue(_replay) is { } file ? FromFile(parsed, file) : Drawn(parsed);
        RecordingPlan? plan = PlanOf(parsed, all);
        SwarmFolder? folder = parsed.GetValue(_out) is { } path ? new SwarmFolder(path, all.Count) : null;
        InvocationConfiguration to = parsed.InvocationConfiguration;
        var report = new Report(to.Output);
        bool isJson = parsed.GetValue(common.Json);
        var summary = new SwarmSummary();
        var failures = new List<SwarmFileRun>();
        var progress = new SwarmProgress(to.Error, all.Count);
        Recording? recording = null;
        void Ended(SwarmResult result)
        {
            summary.Add(result);
            folder?.Add(result);
            progress.Report(summary.Runs, summary.Failed);
            if (result.FailureCount > 0)
            {
                failures.Add(SwarmFileRun.Of(result));
                Print(report, isJson, progress, result, ReplayOf(parsed, result.Options.Seed));
            }
        }

        try
        {
            // Not on this thread, which has yet to take care of Ctrl+C.
            await Task.Run(
                () =>
                {
                    if (plan is null)
                    {
                        SwarmRunner.Run(all, parsed.GetValue(_workers), Ended, cancel);
                    }
                    else
                    {
                        recording = SwarmRunner.RunRecorded(all[0], plan, Ended, cancel);
                    }
                },
                CancellationToken.None
            );
        }
        finally
        {
            progress.End();
            folder?.End();
        }

        bool isPartial = summary.Runs < all.Count;
        if (isJson)
        {
            report.Line(
                ToolJson.Of(SwarmJson.Of(summary, all.Count, failures) with { PacketTrace = recording?.Steps })
            );
            foreach (string line in recording?.Warnings() ?? [])
            {
                to.Error.WriteLine($"camcube: {line}");
            }
        }
        else
        {
            foreach (
                string line in (all.Count == 1 ? [all[0].ToString()] : Enumerable.Empty<string>()).Concat(
                    SwarmText.Of(summary)
                )
            )
            {
                report.Line(line);
            }

            foreach (string line in recording?.Lines() ?? [])
            {
                report.Line(line);
            }

            if (isPartial)
            {
                report.Line(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"PARTIAL: ended early after {summary.Runs} of {all.Count} runs"
                    )
                );
            }
        }

        return isPartial ? throw new OperationCanceledException(cancel)
            : summary.Failed > 0 ? ExitCode.Failed
            : ExitCode.Ok;
    }

    private RecordingPlan? PlanOf(ParseResult parsed, List<SwarmOptions> all)
    {
        if (!_recording.IsAsked(parsed))
        {
            return null;
        }

        return all.Count == 1
            ? _recording.Read(parsed, all[0].ToShape())
            : throw new ToolException(
                ExitCode.Usage,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"--capture, --timeline and --trace-packet show one run, and these are {all.Count:N0}; "
                        + $"choose one with --seed."
                )
            );
    }

    private static void Print(Report report, bool isJson, SwarmProgress progress, SwarmResult result, string replay)
    {
        if (isJson)
        {
            return;
        }

        progress.End();
        foreach (string line in SwarmText.OfFailure(result, replay))
        {
            report.Line(line);
        }
    }

    private List<SwarmOptions> Drawn(ParseResult parsed)
    {
        string[]? faults = Given(parsed, _faults);
        var wishes = new SwarmWishes
        {
            Shape = parsed.GetValue(_shape),
            Services = Given(parsed, _services),
            Faults = faults is null
                ? null
                : [.. Enum.GetValues<FaultKind>().Where(k => faults.Contains(FaultNames.Of(k)))],
        };
        SeedRange seeds = parsed.GetValue(_seeds);
        return
        [
            .. Enumerable
                .Range(0, seeds.Count)
                .Select(i => SwarmDraw.Draw(seeds.First + (ulong)i, wishes, SwarmRunner.Services, SwarmRunner.AskedBy)),
        ];
    }

    // Without a word on the command line a list is empty, not null.
    private static string[]? Given(ParseResult parsed, Option<string[]?> option) =>
        parsed.GetResult(option) is { Implicit: false } ? parsed.GetValue(option) : null;

    private List<SwarmOptions> FromFile(ParseResult parsed, string path)
    {
        foreach (Option option in (Option[])[_shape, _services, _faults])
        {
            if (parsed.GetResult(option) is { Implicit: false })
            {
                throw new ToolException(
                    ExitCode.Usage,
                    $"{option.Name} does not go with --replay: the file says what is run."
                );
            }
        }

        SwarmFile file = SwarmFile.Read(path);
        bool isChosen = parsed.GetResult(_seeds) is { Implicit: false };
        SeedRange seeds = parsed.GetValue(_seeds);
        List<SwarmOptions> all =
        [
            .. file
                .Runs.Where(r =>
                    isChosen ? r.Options.Seed >= seeds.First && r.Options.Seed <= seeds.Last : r.FailureCount > 0
                )
                .Select(r => r.Options),
        ];
        return all.Count > 0
            ? all
            : throw new ToolException(
                ExitCode.Usage,
                isChosen
                    ? $"--replay {path}: it has no run with seed {seeds}."
                    : $"--replay {path}: no run in it failed; choose others with --seeds."
            );
    }

    private string ReplayOf(ParseResult parsed, ulong seed)
    {
        string command = string.Create(CultureInfo.InvariantCulture, $"camcube sim swarm --seed {seed}");
        foreach (Option option in (Option[])[_replay, _shape, _services, _faults])
        {
            if (parsed.GetResult(option) is { Implicit: false } given)
            {
                command += $" {option.Name} {given.Tokens[0].Value}";
            }
        }

        return command;
    }
}
