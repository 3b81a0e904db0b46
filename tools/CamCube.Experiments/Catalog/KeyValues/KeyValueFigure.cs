using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Catalog.KeyValues;

/// <summary>The key-value store (docs/key-value.md) in virtual time: how much it takes in, what failures cost, how long
/// nobody answers, and how fast lost copies are made again.</summary>
public sealed class KeyValueFigure : IFigure
{
    private static readonly FigureParts All = new(
        ("insert", 30, InsertPart.Run),
        ("failures", 40, FailuresPart.Run),
        ("failover", 10, FailoverPart.Run),
        ("recovery", 20, RecoveryPart.Run),
        ("compaction", 20, CompactionPart.Run),
        ("ycsb", 20, YcsbPart.Run)
    );

    /// <inheritdoc/>
    public string Name => "kv";

    /// <inheritdoc/>
    public string Title => "Key-value store: insert, failures, failover, recovery, compaction, YCSB";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 Fig. 6(a), 6(c), section 5.3, for this store";

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts => All.Names;

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ValueRows.SetColumns(run);
        All.Run(run);
        run.Note(
            "Virtual time: a cube 3x3x3, links of 1 Gbit/s, frames of 9,014 bytes, three copies of each value, all of "
                + "them on disk before it is answered; what servers compute takes no time."
        );
    }
}
