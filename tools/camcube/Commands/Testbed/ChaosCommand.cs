using System.CommandLine;
using System.Globalization;
using CamCube.Chaos;
using CamCube.Chaos.Settings;
using CamCube.Testbed;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands.Testbed;

/// <summary><c>camcube testbed chaos</c>: the key-value store in real processes under faults, and what its clients
/// were told.</summary>
internal sealed class ChaosCommand(CommonOptions common)
{
    private static readonly ChaosOptions Standard = new()
    {
        Name = "",
        Program = "",
        HistoryFile = "",
    };

    private readonly Option<string> _name = TestbedCommand.Name("chaos");

    private readonly Option<TorusShape?> _shape = Values.Shape(
        "Axis sizes; at most 64 servers.",
        shape => shape.Count is < 3 or > 64 ? "a run has 3 to 64 servers" : null,
        new TorusShape(3, 3, 3)
    );

    private readonly Option<Duration> _time = Values.Time(
        "--for",
        "How long there are faults",
        Standard.Time,
        TimeSpan.FromSeconds(10),
        TimeSpan.FromHours(24)
    );

    private readonly Option<Duration> _settle = Values.Time(
        "--settle",
        "How long the servers may take to have all copies again, afterwards and before a data folder is deleted",
        Standard.SettleTime,
        TimeSpan.FromSeconds(10),
        TimeSpan.FromHours(1)
    );

    private readonly Option<Duration> _pace = Values.Time(
        "--pace",
        "Mean time from one fault to the next",
        Standard.Pace,
        TimeSpan.FromMilliseconds(500),
        TimeSpan.FromMinutes(10)
    );

    private readonly Option<ulong> _seed = Values.Seed();
    private readonly Option<int> _clients = Values.Whole("--clients", "Clients at once", Standard.Clients, 1, 1_024);
    private readonly Option<int> _keys = Values.Whole("--keys", "Keys that they share", Standard.Keys, 1, 1_000_000);

    private readonly Option<bool> _redis = new("--redis")
    {
        Description = "Clients speak Redis' protocol, as those of kv record --target redis, and not HTTP",
    };

    private readonly Option<string> _history = new("--history")
    {
        Description = "The file that gets what clients asked and were told, an operation in JSON on each line.",
        HelpName = "FILE",
        DefaultValueFactory = _ => "chaos.jsonl",
    };

    private readonly Option<string?> _program = new("--program")
    {
        Description = "The host's program. Without it, CamCube.Host as built beside this tool.",
        HelpName = "PATH",
    };

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command(
            "chaos",
            "Makes a testbed with the key-value store, has clients read and write while processes are killed and "
                + "stopped, cables cut, disks filled and data deleted, and says whether all that they were told holds."
        )
        {
            _name,
            _shape,
            _time,
            _settle,
            _pace,
            _seed,
            _clients,
            _keys,
            _redis,
            _history,
            _program,
        };
        examples[command] = """
            sudo camcube testbed chaos --for 30min                27 servers
            sudo camcube testbed chaos --shape 1x1x4 --for 2min --seed 7
            sudo camcube testbed chaos --redis --clients 50 --for 30min
            sudo camcube testbed chaos --json | jq .violations
            """;
        command.SetAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancel)
    {
        var options = new ChaosOptions
        {
            Name = parsed.GetRequiredValue(_name),
            Program = HostProgramFile.Find(parsed.GetValue(_program)),
            Shape = parsed.GetValue(_shape)!.Value.ToString(),
            Time = parsed.GetValue(_time).Value,
            SettleTime = parsed.GetValue(_settle).Value,
            Pace = parsed.GetValue(_pace).Value,
            Seed = parsed.GetValue(_seed),
            Clients = parsed.GetValue(_clients),
            Keys = parsed.GetValue(_keys),
            IsRedis = parsed.GetValue(_redis),
            HistoryFile = parsed.GetRequiredValue(_history),
        };
        TextWriter error = TextWriter.Synchronized(parsed.InvocationConfiguration.Error);
        ChaosResult result;
        try
        {
            result = await new ChaosRun(options, error.WriteLine).RunAsync(cancel);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ToolException(ExitCode.Usage, $"{options.HistoryFile} cannot be written: {e.Message}");
        }

        JsonOrText.Print(
            parsed,
            common,
            ToolJson.Of(
                new
                {
                    Faults = result.Faults.ToDictionary(
                        fault => $"{fault.Key}".ToLowerInvariant(),
                        fault => fault.Value
                    ),
                    result.Operations,
                    result.Unknown,
                    result.Unavailable,
                    LongestGapSeconds = result.Longest,
                    SettledSeconds = result.SettleSeconds < 0 ? (double?)null : result.SettleSeconds,
                    Linearizable = result.Verdict.IsLinearizable,
                    result.Violations,
                }
            ),
            report => Show(report, result)
        );
        return result.Violations.Count == 0 ? ExitCode.Ok : ExitCode.Failed;
    }

    private static void Show(Report report, ChaosResult result)
    {
        CultureInfo culture = CultureInfo.InvariantCulture;
        string faults = string.Join(", ", result.Faults.Select(fault => $"{fault.Value} {fault.Key}"))
            .ToLowerInvariant();
        report.Line($"faults: {(faults.Length > 0 ? faults : "none")}");
        report.Line(
            string.Create(
                culture,
                $"{result.Operations:N0} operations, {result.Unknown:N0} with an unknown end, "
                    + $"{result.Unavailable:N0} not done; longest time without an answer {result.Longest:0.00} s"
            )
        );
        if (result.SettleSeconds >= 0)
        {
            report.Line(string.Create(culture, $"all copies there {result.SettleSeconds:0} s after the last fault"));
        }

        foreach (string violation in result.Violations)
        {
            report.Line($"VIOLATION {violation}");
        }

        if (result.Violations.Count == 0)
        {
            report.Line("linearizable; nothing that was acknowledged is lost");
        }
    }
}
