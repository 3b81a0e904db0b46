using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Tests.Figures;

/// <summary>A figure of ten steps, whose last check has a result that the test chooses.</summary>
internal sealed class FakeFigure(
    string name = "fake",
    double measured = 1,
    Action<int>? beforeStep = null,
    string? missing = null,
    params string[] parts
) : IFigure
{
    public const int Steps = 10;

    public string Name => name;

    public string Title => "A <figure> & its \"checks\"";

    public string Paper => "Nowhere";

    public string? Missing => missing;

    public IReadOnlyList<string> Parts => parts;

    public void Run(FigureRun run)
    {
        foreach (string part in parts.Where(run.Wants))
        {
            run.Note($"ran {part}");
        }

        run.Table.SetColumns("step", "what");
        Plot plot = run.Add(new Plot("", new PlotAxis("step"), new PlotAxis("value", "m")));
        Series series = plot.Add("measured", SeriesKind.LineWithMarks);
        for (int step = 0; step < Steps; step++)
        {
            beforeStep?.Invoke(step);
            run.Report((double)step / Steps, $"step {step}");
            run.Table.Add(step, "a, \"b\"");
            series.Add(step, step * step);
            run.Show($"step {step}", step);
        }

        run.NotMade("too large", Limit.AtMost(5));
        run.Check("one", measured, Limit.Between(0.9, 1.1), "m", paper: 1, expected: 1);
    }
}
