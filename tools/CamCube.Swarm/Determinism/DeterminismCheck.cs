using System.Text.Json;

namespace CamCube.Swarm.Determinism;

/// <summary>
/// Runs one seed in all variants, each in a process of its own, and compares them; where two differ, runs both again
/// and looks for the first event that is not the same.
/// </summary>
public static class DeterminismCheck
{
    // A difference that comes from the timing of threads may stay away when it is looked for.
    private const int Searches = 3;

    /// <summary>Checks one seed.</summary>
    public static async Task<SeedResult> RunAsync(ulong seed, DeterminismOptions options, CancellationToken cancel)
    {
        IReadOnlyList<RunVariant> variants = RunVariant.Of(options.Threads);
        var results = new List<RunResult>();
        foreach (RunVariant variant in variants)
        {
            (RunResult result, _) = await ChildProcess.RunAsync(options.RequestFor(seed, variant), cancel);
            results.Add(result);
        }

        RunResult first = results[0];
        int other = results.FindIndex(result => !result.IsSameAs(first));
        Difference? difference =
            other < 0
                ? null
                : await FindAsync(seed, options, (variants[0], variants[other]), (first, results[other]), cancel);
        return new SeedResult(
            seed,
            first.Shape,
            first.Hash,
            first.Events,
            first.PacketHops,
            first.Lost,
            results.Max(result => result.Faults),
            first.Operations,
            first.Checkpoints.Count,
            [.. variants.Zip(results, static (variant, result) => new SeedRun(variant.Name, result.Hash))],
            other < 0,
            difference
        );
    }

    private static async Task<Difference> FindAsync(
        ulong seed,
        DeterminismOptions options,
        (RunVariant First, RunVariant Second) variants,
        (RunResult First, RunResult Second) results,
        CancellationToken cancel
    )
    {
        Difference difference = Where(variants, results);
        for (int i = 0; i < Searches && difference.Checkpoint > 0; i++)
        {
            RunRequest Recorded(RunVariant variant) =>
                options.RequestFor(seed, variant) with
                {
                    RecordFromNanos = difference.FromNanos,
                    RecordUntilNanos = difference.AtNanos,
                };
            (RunResult a, IReadOnlyList<string> eventsA) = await ChildProcess.RunAsync(
                Recorded(variants.First),
                cancel
            );
            (RunResult b, IReadOnlyList<string> eventsB) = await ChildProcess.RunAsync(
                Recorded(variants.Second),
                cancel
            );
            int at = FirstDifference(eventsA, eventsB);
            if (at >= 0)
            {
                return difference with { First = At(eventsA, at), Second = At(eventsB, at) };
            }

            // This time they parted elsewhere.
            if (a.FirstDifference(b) >= 0)
            {
                difference = Where(variants, (a, b));
            }
        }

        return difference;
    }

    private static Difference Where(
        (RunVariant First, RunVariant Second) variants,
        (RunResult First, RunResult Second) results
    )
    {
        string[] names = [variants.First.Name, variants.Second.Name];
        int at = results.First.FirstDifference(results.Second);
        if (at < 0)
        {
            return new Difference(names, 0, 0, 0, [], null, null);
        }

        IReadOnlyList<RunCheckpoint> all = results.First.Checkpoints;
        IReadOnlyList<RunCheckpoint> others = results.Second.Checkpoints;
        if (
            at >= all.Count
            || at >= others.Count
            || TorusShape.TryParse(results.First.Shape, out TorusShape shape) is not null
        )
        {
            return new Difference(
                names,
                at + 1,
                at == 0 ? 0 : all[at - 1].AtNanos,
                Math.Max(all[^1].AtNanos, others[^1].AtNanos),
                [],
                null,
                null
            );
        }

        IEnumerable<int> servers = Enumerable
            .Range(0, Math.Min(all[at].Servers.Count, others[at].Servers.Count))
            .Where(rank => all[at].Servers[rank] != others[at].Servers[rank]);
        return new Difference(
            names,
            at + 1,
            at == 0 ? 0 : all[at - 1].AtNanos,
            all[at].AtNanos,
            [.. servers.Select(rank => shape.At(rank).ToString())],
            null,
            null
        );
    }

    private static int FirstDifference(IReadOnlyList<string> a, IReadOnlyList<string> b)
    {
        int both = Math.Min(a.Count, b.Count);
        for (int i = 0; i < both; i++)
        {
            if (a[i] != b[i])
            {
                return i;
            }
        }

        return a.Count == b.Count ? -1 : both;
    }

    private static RunEvent? At(IReadOnlyList<string> lines, int index) =>
        index < lines.Count ? JsonSerializer.Deserialize<RunEvent>(lines[index], SwarmJson.Options) : null;
}
