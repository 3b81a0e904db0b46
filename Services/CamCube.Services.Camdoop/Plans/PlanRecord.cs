namespace CamCube.Services.Camdoop.Plans;

/// <summary>How a job's input was cut: made once, and the same for whoever tracks it. JSON in the file store.</summary>
/// <param name="Splits">A map task each, in order.</param>
internal sealed record PlanRecord(IReadOnlyList<Split> Splits) : IChecked
{
    /// <summary>Most map tasks.</summary>
    public const int MostSplits = 100_000;

    /// <inheritdoc/>
    public bool IsSound =>
        Splits.Count <= MostSplits && Splits.All(static split => split is { Offset: >= 0, Length: >= 0, Home: >= 0 });
}
