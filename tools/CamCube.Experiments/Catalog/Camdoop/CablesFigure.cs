using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Generated;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Shuffles;
using CamCube.Testbed;

namespace CamCube.Experiments.Catalog.Camdoop;

/// <summary>
/// NSDI'12 Table 1 and Fig. 5 on real cables: hosts in network namespaces, whose links are shaped alike, beside the
/// same service at a switch with a port of the same rate for each server. Testbeds of its own, which it removes.
/// </summary>
public sealed class CablesFigure : IFigure
{
    private const double WordShare = 0.56;
    private const int Repeats = 3;
    private const int WarmUpBytes = 50_000;
    private const int LeastWarmUpBytes = 2_000;

    /// <inheritdoc/>
    public string Name => "camdoop-cables";

    /// <inheritdoc/>
    public string Title => "Sort, word count and shared keys on real cables";

    /// <inheritdoc/>
    public string Paper => "NSDI'12 Table 1 and Fig. 5, sections 5.1 and 5.2";

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts { get; } = ["sort", "words", "sharing"];

    /// <inheritdoc/>
    public string? Missing =>
        TestbedNetwork.Missing()
        ?? (
            HostProgramFile.Beside() is null
                ? "needs CamCube.Host beside this tool: dotnet build -c Release src/CamCube.Host"
                : null
        );

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        if (Missing is { } missing)
        {
            throw new ExperimentException($"{Name} {missing}.");
        }

        TorusShape shape = run.ByScale(new TorusShape(2, 2, 2), new TorusShape(3, 3, 3), new TorusShape(3, 3, 3));
        long rate = Rate(run);
        run.Table.SetColumns(
            "job",
            "variant",
            "share",
            "reduces",
            "bytes_per_server",
            "seconds",
            "model_seconds",
            "processors"
        );
        run.Note(
            $"{shape.Count} servers in a cube {shape}, a process each, {rate / 1e6:0.#} Mbit/s per link and "
                + "direction, and per port of the switch, frames of 9,014 bytes, at the switch of 1,514, "
                + $"{Environment.ProcessorCount} processors. From the end of the last map task to the end of the last "
                + "reduce; input and output have one copy, in memory, where they are read and made."
        );
        List<CableShuffle> sorts = [],
            words = [],
            shared = [];
        foreach (int reduces in (int[])[1, shape.Count])
        {
            int bytes = BytesOf(run, reduces);
            if (run.Wants("sort"))
            {
                sorts.Add(Sort(run, shape, reduces, bytes));
            }

            if (run.Wants("words"))
            {
                words.Add(Words(run, shape, reduces, bytes));
            }

            if (run.Wants("sharing"))
            {
                shared.Add(Sharing(run, shape, reduces, bytes));
            }
        }

        CableShuffle[] all = [.. sorts, .. words, .. shared];
        Measure(run, shape, rate, "ethernet", all, 0);
        Measure(run, shape, rate, "switch", all, 0.5);
        Plot(run, all);
        Check(run, sorts, words, shared);
    }

    // So slow that links are waited for, and not processors.
    private static long Rate(FigureRun run) =>
        Math.Clamp(Environment.ProcessorCount / 2, 1, 4) * run.ByScale(20_000_000L, 4_000_000L, 4_000_000L);

    // What goes to one reduce takes as many times as long.
    private static int BytesOf(FigureRun run, int reduces) =>
        reduces == 1 ? run.ByScale(50_000, 500_000, 1_000_000) : run.ByScale(200_000, 3_000_000, 6_000_000);

    private static CableShuffle Sort(FigureRun run, TorusShape shape, int reduces, int bytes) =>
        new(
            "sort",
            reduces,
            new SortedRecords(shape.Count, bytes / SortRecords.Length, run.Options.Seed),
            null,
            CableVariant.NoAggregation,
            CableVariant.Tcp
        );

    private static CableShuffle Words(FigureRun run, TorusShape shape, int reduces, int bytes)
    {
        SharedKeys keys = new ShuffleSize(shape, bytes).KeysOf(run, WordShare);
        return new(
            "words",
            reduces,
            new WordsOfText(keys, Repeats, run.Options.Seed),
            keys,
            CableVariant.NoAggregation,
            CableVariant.Camdoop,
            CableVariant.Tcp
        );
    }

    private static CableShuffle Sharing(FigureRun run, TorusShape shape, int reduces, int bytes)
    {
        SharedKeys keys = new ShuffleSize(shape, bytes) { Padding = CamdoopFigures.LongPadding }.KeysOf(
            run,
            1.0 / shape.Count
        );
        return new("sharing", reduces, new CountedKeys(keys), keys, CableVariant.NoAggregation, CableVariant.Camdoop);
    }

    private static void Measure(
        FigureRun run,
        TorusShape shape,
        long rate,
        string shim,
        CableShuffle[] all,
        double done
    )
    {
        CableShuffle[] here = [.. all.Where(one => one.IsAt(shim))];
        if (here.Length == 0)
        {
            return;
        }

        run.Report(done, $"{shape.Count} servers start, {shim}");
        using JobTestbed testbed = JobTestbed.Start(shape, shim, rate, run);

        int warmUps = 0;

        // Code is compiled before anything counts.
        foreach (int bytes in (ReadOnlySpan<int>)[LeastWarmUpBytes, LeastWarmUpBytes, WarmUpBytes])
        {
            Words(run, shape, shape.Count, bytes).WarmUp(testbed, shim, $"/warm{warmUps++}");
        }

        for (int i = 0; i < here.Length; i++)
        {
            run.Report(done + (0.5 * (i + 0.5) / here.Length), $"{here[i].Name}, {shim}");
            here[i].Measure(run, testbed, shim, rate);
        }
    }

    private static void Plot(FigureRun run, CableShuffle[] all)
    {
        Plot plot = run.Add(
            new Plot(
                "time of the shuffle",
                new PlotAxis("job") { Names = [.. all.Select(static one => one.Name)] },
                new PlotAxis("time", "s") { IsLogarithmic = true }
            )
        );
        foreach (
            CableVariant variant in (CableVariant[])[CableVariant.Camdoop, CableVariant.NoAggregation, CableVariant.Tcp]
        )
        {
            Series series = plot.Add(variant.Name, SeriesKind.Bars);
            for (int i = 0; i < all.Length; i++)
            {
                if (all[i].SecondsOf(variant) is { } seconds)
                {
                    series.Add(i, seconds);
                }
            }
        }
    }

    private static void Check(
        FigureRun run,
        IReadOnlyList<CableShuffle> sorts,
        IReadOnlyList<CableShuffle> words,
        IReadOnlyList<CableShuffle> shared
    )
    {
        CableVariant merged = CableVariant.NoAggregation,
            combined = CableVariant.Camdoop,
            star = CableVariant.Tcp;
        for (int i = 0; i < sorts.Count; i++)
        {
            run.CheckTimed(
                $"{sorts[i].Name}: tcp / Camdoop",
                sorts[i].Ratio(star, merged),
                Limit.AtLeast(i == 0 ? 4 : 1.4),
                paper: i == 0 ? 3.6 : 4.7,
                expected: sorts[i].Allowed(star, merged)
            );
            run.Show(
                $"{sorts[i].Name}: a perfect switch / Camdoop",
                sorts[i].Bound(star, merged),
                expected: sorts[i].Allowed(star, merged)
            );
        }

        for (int i = 0; i < words.Count; i++)
        {
            foreach (CableVariant slow in (CableVariant[])[merged, star])
            {
                run.CheckTimed(
                    $"{words[i].Name}: {slow.Name} / Camdoop, of what the keys allow",
                    words[i].Ratio(slow, combined) / words[i].Allowed(slow, combined),
                    Limit.AtLeast(0.9)
                );
                run.Show(
                    $"{words[i].Name}: {slow.Name} / Camdoop",
                    words[i].Ratio(slow, combined),
                    paper: (slow == star, i) switch
                    {
                        (false, 0) => 1.67,
                        (false, _) => 1.62,
                        (true, 0) => 2.29,
                        _ => 3.24,
                    },
                    expected: words[i].Allowed(slow, combined)
                );
            }
        }

        for (int i = 0; i < shared.Count; i++)
        {
            run.CheckTimed(
                $"{shared[i].Name}, S = 1/N: no aggregation / Camdoop",
                shared[i].Ratio(merged, combined),
                Limit.AtLeast(i == 0 ? 12 : 3),
                paper: i == 0 ? 12.67 : 3.93,
                expected: shared[i].Allowed(merged, combined)
            );
        }

        foreach (CableShuffle one in (CableShuffle[])[.. sorts, .. words, .. shared])
        {
            foreach (CableVariant variant in one.Variants)
            {
                run.Show($"{one.Name}, {variant.Name}: time / fullest link", one.OverModel(variant), expected: 1);
            }
        }
    }
}
