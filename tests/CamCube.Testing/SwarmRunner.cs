using System.Globalization;
using System.Text;
using CamCube.Simulator.Swarm;

namespace CamCube.Testing;

/// <summary>Runs the seeds of a plan until one fails, and says what is to be known of that.</summary>
internal static class SwarmRunner
{
    private static readonly IReadOnlyDictionary<string, int> NoNumbers = new Dictionary<string, int>();

    /// <summary>Runs them.</summary>
    /// <exception cref="SwarmFailedException">One failed.</exception>
    public static SwarmReport Run(SwarmPlan plan, Func<SwarmCase, Task> scenario)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(scenario);
        plan.Check();
        SwarmReplay? replay = plan.Replay is { } text ? SwarmReplay.Parse(text, plan.Shape) : null;
        int runs = replay is null ? plan.Seeds : 1;
        SortedDictionary<FaultKind, long> faults = [];
        long operations = 0,
            answered = 0,
            unanswered = 0,
            nanos = 0;
        for (int i = 0; i < runs; i++)
        {
            ulong seed = replay?.Seed ?? (plan.FirstSeed + (ulong)i);
            SwarmOutcome outcome = SwarmTrial.Run(plan, seed, replay?.Faults, replay?.Numbers ?? NoNumbers, scenario);
            if (outcome.Finding is not null)
            {
                string which = replay is null
                    ? string.Create(CultureInfo.InvariantCulture, $"Seed {seed} fails (run {i + 1} of {runs})")
                    : $"Seed {seed} fails (replay)";
                throw Failed(plan, scenario, outcome, seed, which);
            }

            if (replay?.Numbers.Keys.Except(outcome.Numbers.Select(static n => n.Name)).FirstOrDefault() is { } other)
            {
                throw new ArgumentException($"SwarmPlan.Replay: the scenario draws no number '{other}'.");
            }

            foreach (SwarmFault fault in outcome.Done)
            {
                faults[fault.Kind] = faults.GetValueOrDefault(fault.Kind) + 1;
            }

            operations += outcome.Operations;
            answered += outcome.Answered;
            unanswered += outcome.Unanswered;
            nanos += outcome.VirtualNanos;
        }

        return new SwarmReport(runs, faults, operations, answered, unanswered, TimeSpan.FromTicks(nanos / 100));
    }

    private static SwarmFailedException Failed(
        SwarmPlan plan,
        Func<SwarmCase, Task> scenario,
        SwarmOutcome found,
        ulong seed,
        string which
    )
    {
        var shrinker = new SwarmShrinker(plan, scenario, found, seed);
        if (found.Finding!.CanShrink && plan.MostShrinkRuns > 0)
        {
            shrinker.Run();
        }

        SwarmFinding finding = shrinker.Best.Finding!;
        SwarmReplay replay = shrinker.Replay;
        string what = finding.What();
        var message = new StringBuilder();
        message.Append(CultureInfo.InvariantCulture, $"{which}. {what}\n");
        message.Append(Faults(replay.Faults!, found.Done.Count, shrinker.Runs));
        if (shrinker.Best.Numbers.Count > 0)
        {
            message.Append("Numbers: ");
            message.AppendJoin(", ", shrinker.Best.Numbers.Select(static n => $"{n.Name} = {n.Value}")).Append('\n');
        }

        if (shrinker.Unrepeatable is { } why)
        {
            message.Append(
                "NOT REPEATABLE: run once more with the same seed "
                    + why
                    + ". The service or the scenario depends on something else: static fields, captured variables, "
                    + "time, threads, randomness of its own, or the order of a hashed collection.\n"
            );
        }

        message.Append(CultureInfo.InvariantCulture, $"Run just this again: Replay = \"{replay}\"");
        return new SwarmFailedException(
            message.ToString(),
            seed,
            what,
            replay.Faults!,
            replay.ToString(),
            finding.Exception
        );
    }

    private static string Faults(IReadOnlyList<SwarmFault> faults, int found, int runs)
    {
        string shrunk = runs > 0 ? $" of the {found} that were done, after {runs} more runs" : "";
        return faults.Count == 0
            ? $"It needs no faults{(runs > 0 ? $" ({found} were done; {runs} more runs)" : "")}.\n"
            : string.Create(CultureInfo.InvariantCulture, $"Faults ({faults.Count}{shrunk}):\n")
                + string.Concat(faults.Select(static f => $"  {f}\n"));
    }
}
