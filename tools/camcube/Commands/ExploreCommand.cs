using System.CommandLine;
using System.CommandLine.Parsing;
using System.Diagnostics;
using System.Globalization;
using CamCube.Swarm.Exploration;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube sim explore</c>: every state of a small group of the key-value store, within bounds.</summary>
internal sealed class ExploreCommand(CommonOptions common)
{
    // 16 bytes of hash and 6 of the way there for each: 50 million are 2 GB.
    private const int MostStates = 50_000_000;
    private const int MostTimes = 8;
    private static readonly ExploreOptions Standard = new();

    private readonly Option<int> _states = Values.Whole(
        "--states",
        "The most states to visit",
        Standard.States,
        1,
        MostStates
    );

    private readonly Option<ExploreStart> _from = new("--from")
    {
        Description = "Where it begins: blank stores, a group that is born, or one that is led.",
        HelpName = "blank|born|led",
        CustomParser = Values.Of<ExploreStart>(TryReadWord, "must be blank, born or led"),
        DefaultValueFactory = _ => Standard.Start,
    };

    private readonly Option<PlantedError> _plant = new("--plant")
    {
        Description = "Plants an error to be found: epochEarly, voteUnsynced, holdShort, recoverEarly or letIn.",
        HelpName = "ERROR",
        CustomParser = Values.Of<PlantedError>(
            TryReadWord,
            "must be epochEarly, voteUnsynced, holdShort, recoverEarly, letIn or none"
        ),
        DefaultValueFactory = _ => PlantedError.None,
    };

    private readonly Option<int> _writes = Times("--writes", "Writes", Standard.Writes, 2);
    private readonly Option<int> _reads = Times("--reads", "Reads", Standard.Reads, 1);
    private readonly Option<int> _leases = Times("--leases", "Leases", Standard.Leases, 1);
    private readonly Option<int> _crashes = Times("--crashes", "Crashes", Standard.Crashes);
    private readonly Option<int> _replacements = Times("--replacements", "Replaced disks", Standard.Replacements, 1);
    private readonly Option<int> _recoveries = Times("--recoveries", "Recoveries by hand", Standard.Recoveries, 1);
    private readonly Option<int> _changes = Times("--changes", "Changes of members", Standard.Changes, 1);
    private readonly Option<int> _marks = Times("--marks", "Entries that say who is away or back", Standard.Marks);
    private readonly Option<int> _terms = Times("--terms", "Elections in each epoch", Standard.Terms, 3);
    private readonly Option<int> _slowSyncs = Times("--slow-syncs", "Syncs that take long", Standard.SlowSyncs);
    private readonly Option<int> _beats = Times("--beats", "Beats of leaders", Standard.Beats);
    private readonly Option<int> _births = Times("--births", "Births planned, and refused, each", Standard.Births);

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command(
            "explore",
            "Visits every state of a small group of the key-value store, breadth first: three servers and a stand-in "
                + "with the protocol that servers run; what may happen, and how often, is bounded by the options. "
                + "A broken invariant is told with the shortest way to it."
        )
        {
            _states,
            _from,
            _plant,
            _writes,
            _reads,
            _leases,
            _crashes,
            _replacements,
            _recoveries,
            _changes,
            _marks,
            _terms,
            _slowSyncs,
            _beats,
            _births,
        };
        common.RefuseHostOfSimulation(command);
        examples[command] = """
            camcube sim explore                                     a million states from a group that is born
            camcube sim explore --from blank --replacements 1       births, and a disk that is replaced meanwhile
            camcube sim explore --from led --crashes 2 --states 10000000
            camcube sim explore --from led --recoveries 1           two of three stores are given up, and one comes back
            camcube sim explore --plant voteUnsynced                an error that is found, with the way to it
            """;
        command.SetAction(RunAsync);
        return command;
    }

    // A word, not the number that an enum would take as well.
    private static bool TryReadWord<T>(string text, out T value)
        where T : struct, Enum => Enum.TryParse(text, ignoreCase: true, out value) && char.IsLetter(text[0]);

    private static Option<int> Times(string name, string description, int standard, int most = MostTimes) =>
        Values.Whole(name, description, standard, 0, most);

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancel)
    {
        var options = new ExploreOptions
        {
            States = parsed.GetValue(_states),
            Start = parsed.GetValue(_from),
            Planted = parsed.GetValue(_plant),
            Writes = parsed.GetValue(_writes),
            Reads = parsed.GetValue(_reads),
            Leases = parsed.GetValue(_leases),
            Crashes = parsed.GetValue(_crashes),
            Replacements = parsed.GetValue(_replacements),
            Recoveries = parsed.GetValue(_recoveries),
            Changes = parsed.GetValue(_changes),
            Marks = parsed.GetValue(_marks),
            Terms = parsed.GetValue(_terms),
            SlowSyncs = parsed.GetValue(_slowSyncs),
            Beats = parsed.GetValue(_beats),
            Births = parsed.GetValue(_births),
        };
        InvocationConfiguration to = parsed.InvocationConfiguration;
        bool isJson = parsed.GetValue(common.Json);
        long from = Stopwatch.GetTimestamp();
        void Progress(int states, int depth)
        {
            if (!isJson)
            {
                string rate = Rate(states, Stopwatch.GetElapsedTime(from));
                to.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"depth {depth}: {states:N0}, {rate}"));
            }
        }

        // Not on this thread, which has yet to take care of Ctrl+C.
        ExploreResult result = await Task.Run(() => Explorer.Run(options, Progress, cancel), CancellationToken.None);
        TimeSpan took = Stopwatch.GetElapsedTime(from);
        var report = new Report(to.Output);
        if (isJson)
        {
            report.Line(
                ToolJson.Of(
                    new
                    {
                        result.States,
                        result.Transitions,
                        result.Depth,
                        Complete = result.IsComplete,
                        StatesPerSecond = (long)(result.States / Math.Max(took.TotalSeconds, 0.001)),
                        result.Violation,
                        result.Trace,
                    }
                )
            );
        }
        else
        {
            foreach (string line in Lines(result, took))
            {
                report.Line(line);
            }
        }

        return result.Violation is null ? ExitCode.Ok : ExitCode.Failed;
    }

    private static IEnumerable<string> Lines(ExploreResult result, TimeSpan took)
    {
        string bounds = result.IsComplete ? "all there are within the bounds" : "there are more";
        yield return string.Create(
            CultureInfo.InvariantCulture,
            $"{result.States:N0} states ({bounds}), {result.Transitions:N0} transitions, depth {result.Depth}, "
                + $"{took.TotalSeconds:0.0} s, {Rate(result.States, took)}"
        );
        if (result.Violation is null)
        {
            yield return "no invariant is broken";
            yield break;
        }

        yield return $"BROKEN {result.Violation}";
        foreach ((int number, string step) in result.Trace.Index())
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"  {number + 1}. {step}");
        }
    }

    private static string Rate(int states, TimeSpan took) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{states / Math.Max(took.TotalSeconds, 0.001):N0} states per second"
        );
}
