namespace CamCube.Experiments.Figures;

/// <summary>The parts of a figure, of which a run takes all or some, one after the other.</summary>
/// <param name="all">Each with its name, what it costs beside the others, and how it is run: it says how much of it is
/// done, and what it does.</param>
internal sealed class FigureParts(
    params (string Name, double Cost, Action<FigureRun, Action<double, string>> Run)[] all
)
{
    /// <summary>Their names.</summary>
    public IReadOnlyList<string> Names { get; } = [.. all.Select(part => part.Name)];

    /// <summary>Runs those that are wanted, and says so if some are not.</summary>
    public void Run(FigureRun run)
    {
        if (run.Options.Parts.Count > 0)
        {
            run.Note($"Only a part: {string.Join(", ", run.Options.Parts)}.");
        }

        double whole = all.Where(part => run.Wants(part.Name)).Sum(part => part.Cost),
            before = 0;
        foreach (var (name, cost, runPart) in all.Where(part => run.Wants(part.Name)))
        {
            double from = before / whole;
            runPart(run, (done, doing) => run.Report(from + (done * cost / whole), $"{name}: {doing}"));
            before += cost;
        }
    }
}
