using CamCube.Experiments.Figures;
using CamCube.Experiments.KeyValues;
using CamCube.Runtime.Core;

namespace CamCube.Experiments.Catalog.KeyValues;

/// <summary>A server gets an empty disk.</summary>
internal static class RecoveryPart
{
    private const int Links = 6;
    private const double Asked = 0.8;

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        TimeSpan detection = run.Options.DetectionTime ?? new LivenessOptions().DetectionTime;
        int values = run.ByScale(28, 700, 2_800);
        RecoveryResult result = RecoveryExperiment.Run(
            values,
            InsertExperiment.Length,
            false,
            run.Options.Seed,
            detection,
            () => report(0, "an empty disk")
        );
        void Row(string what, double value, string unit) =>
            ValueRows.Add(run, "recovery", "an empty disk", "all", what, value, unit);
        Row("time until it fetches", result.BeginNanos / 1e9, "s");
        Row("time", result.Nanos / 1e9, "s");
        Row("bytes", result.Bytes, "bytes");
        Row("rate", result.Links, "links");
        run.CheckTimed(
            "an empty disk: rate of the fetch",
            result.Links,
            Limit.AtLeast(Asked * Links),
            "links",
            null,
            Links
        );
        run.Note(
            FormattableString.Invariant(
                $"recovery: {values} values of 1.47 MB, {values * 1.47 / 1000:F2} GB, all of them on the server that "
            ) + "comes back; the rate counts from the first megabyte that comes to the last group that it leads again."
        );
    }
}
