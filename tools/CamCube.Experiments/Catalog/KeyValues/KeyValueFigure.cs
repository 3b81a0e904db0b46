using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Catalog.KeyValues;

/// <summary>The key-value store (docs/key-value.md) in virtual time: how much it takes in, what failures cost, how long
/// nobody answers, and how fast lost copies are made again.</summary>
public sealed class KeyValueFigure : IFigure
{
    private static readonly (string Name, double Cost, Action<FigureRun, Action<double, string>> Run)[] All =
    [
        ("insert", 30, InsertPart.Run),
        ("failures", 40, FailuresPart.Run),
        ("failover", 10, FailoverPart.Run),
        ("recovery", 20, RecoveryPart.Run),
        ("compaction", 20, CompactionPart.Run),
    ];

    /// <inheritdoc/>
    public string Name => "kv";

    /// <inheritdoc/>
    public string Title => "Key-value store: insert, failures, failover, recovery, compaction";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 Fig. 6(a), 6(c), section 5.3, for this store";

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts { get; } = [.. All.Select(part => part.Name)];

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ValueRows.SetColumns(run);
        if (run.Options.Parts.Count > 0)
        {
            run.Note($"Only a part: {string.Join(", ", run.Options.Parts)}.");
        }

        double all = All.Where(part => run.Wants(part.Name)).Sum(part => part.Cost),
            before = 0;
        foreach (var (name, cost, runPart) in All.Where(part => run.Wants(part.Name)))
        {
            double from = before / all;
            runPart(run, (done, doing) => run.Report(from + (done * cost / all), $"{name}: {doing}"));
            before += cost;
        }

        run.Note(
            "Virtual time: a cube 3x3x3, links of 1 Gbit/s, frames of 9,014 bytes, three copies of each value, all of "
                + "them on disk before it is answered; what servers compute takes no time."
        );
    }
}
