using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Loads.Choosing;
using CamCube.Loads.Measuring;
using CamCube.Loads.Operations;
using CamCube.Loads.Runs;
using CamCube.Loads.Settings;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary>The picture of a load: how long operations took, and how many there were each second.</summary>
internal static class LoadPlots
{
    private const int PointsPerPower = 12;

    /// <summary>Writes it.</summary>
    /// <exception cref="ToolException">It cannot be written.</exception>
    public static void Write(string file, LoadOptions load, LoadTarget target, IReadOnlyList<LoadPhaseResult> results)
    {
        LoadPhaseResult? run = results.FirstOrDefault(static one => one.Phase == LoadPhase.Run) ?? results[0];
        string text = SvgPicture.Of(
            $"Workload {load.Workload.Name} on {LoadText.WordOf(target)}: {LoadText.NameOf(run.Phase)}",
            $"{load.Workload.Mix}, {load.Records} records of {load.ValueLength} bytes, {load.Connections} connections, "
                + $"{load.Pipeline} at a time on each"
                + (load.Rate > 0 ? $", {load.Rate} a second" : ""),
            isPartial: run.IsGone,
            [Times(run), Rates(run)],
            $"camcube kv load · seed {load.Seed}"
        );
        try
        {
            File.WriteAllText(file, text);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ToolException(ExitCode.Usage, $"{file} cannot be written: {e.Message}");
        }
    }

    // One in so many took longer: so p99 and p99.9 are as far from each other as p90 and p99.
    private static Plot Times(LoadPhaseResult run)
    {
        var plot = new Plot(
            "Time that all but one in so many took at most",
            new PlotAxis("one in so many took longer (10: p90, 100: p99)") { IsLogarithmic = true },
            new PlotAxis("time", "ms") { IsLogarithmic = true }
        );
        foreach (OperationKind kind in Enum.GetValues<OperationKind>())
        {
            if (run.Tally.Times(kind) is not { } times)
            {
                continue;
            }

            Series series = plot.Add(OperationMix.NameOf(kind), SeriesKind.Line);
            for (int i = 0; Math.Pow(10, (double)i / PointsPerPower) is var many && many <= times.Count; i++)
            {
                series.Add(many, Math.Max(times.At(1 - (1 / many)), 1) / 1e6);
            }
        }

        return plot;
    }

    private static Plot Rates(LoadPhaseResult run)
    {
        var plot = new Plot(
            "Operations in each second",
            new PlotAxis("time", "s") { Least = 0 },
            new PlotAxis("done", "1/s") { Least = 0 }
        );
        Series done = plot.Add("done", SeriesKind.Line),
            failed = plot.Add("failed", SeriesKind.Line, SeriesRole.Bound);
        LoadSecond before = default;
        foreach (LoadSecond now in run.Course)
        {
            double seconds = now.Seconds - before.Seconds;
            done.Add(now.Seconds, (now.Done - before.Done) / seconds);
            failed.Add(now.Seconds, (now.Failed - before.Failed) / seconds);
            before = now;
        }

        return plot;
    }
}
