using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Figures;

/// <summary>
/// One run of a figure: what to run, and all that came out so far. Filled by the figure on one thread; read by others
/// only when that has ended.
/// </summary>
public sealed class FigureRun
{
    private readonly List<FigureCheck> _checks = [];
    private readonly List<string> _notes = [];
    private readonly List<Plot> _plots = [];
    private readonly CancellationToken _cancel;
    private readonly Action<double, string>? _progress;

    /// <summary>A run that has nothing yet.</summary>
    /// <param name="options">What to run.</param>
    /// <param name="progress">Told now and then which part of the work is done, 0 to 1, and what is being done.</param>
    /// <param name="cancel">Ends the run at its next report.</param>
    public FigureRun(
        FigureOptions? options = null,
        Action<double, string>? progress = null,
        CancellationToken cancel = default
    ) => (Options, _progress, _cancel) = (options ?? new FigureOptions(), progress, cancel);

    /// <summary>What to run.</summary>
    public FigureOptions Options { get; }

    /// <summary>Ends the run: for figures that wait between reports.</summary>
    public CancellationToken Cancel => _cancel;

    /// <summary>Values side by side, in the order of the output.</summary>
    public IReadOnlyList<FigureCheck> Checks => _checks;

    /// <summary>Sentences about what was run and what was left out.</summary>
    public IReadOnlyList<string> Notes => _notes;

    /// <summary>The pictures, from top to bottom.</summary>
    public IReadOnlyList<Plot> Plots => _plots;

    /// <summary>The data.</summary>
    public FigureTable Table { get; } = new();

    /// <summary>One of three values, by the scale.</summary>
    public T ByScale<T>(T smoke, T quick, T full) =>
        Options.Scale switch
        {
            FigureScale.Smoke => smoke,
            FigureScale.Quick => quick,
            _ => full,
        };

    /// <summary>Whether a part of the figure is to be run.</summary>
    /// <param name="part">One of <see cref="IFigure.Parts"/>.</param>
    public bool Wants(string part) => Options.Parts.Count == 0 || Options.Parts.Contains(part);

    /// <summary>Tells how far it is.</summary>
    /// <param name="done">Part of the whole figure that is done, 0 to 1.</param>
    /// <param name="doing">What is being done, in a few words.</param>
    /// <exception cref="OperationCanceledException">The run is to end.</exception>
    public void Report(double done, string doing)
    {
        _cancel.ThrowIfCancellationRequested();
        _progress?.Invoke(done, doing);
    }

    /// <summary>Checks a measured value against a limit.</summary>
    public void Check(
        string what,
        double measured,
        Limit limit,
        string unit = "",
        double? paper = null,
        double? expected = null
    ) =>
        _checks.Add(
            new FigureCheck(
                what,
                paper,
                expected,
                measured,
                unit,
                limit,
                limit.Contains(measured) ? CheckOutcome.Passed : CheckOutcome.Failed
            )
        );

    /// <summary>Shows a value beside the paper's and the expected one; nothing is asked of it.</summary>
    public void Show(string what, double measured, string unit = "", double? paper = null, double? expected = null) =>
        _checks.Add(new FigureCheck(what, paper, expected, measured, unit, null, CheckOutcome.Shown));

    /// <summary>Checks a value that only a longer run can tell: at <see cref="FigureScale.Smoke"/> the check is not
    /// made.</summary>
    public void CheckTimed(
        string what,
        double measured,
        Limit limit,
        string unit = "",
        double? paper = null,
        double? expected = null
    )
    {
        if (Options.Scale == FigureScale.Smoke)
        {
            NotMade(what, limit, unit, paper, expected);
        }
        else
        {
            Check(what, measured, limit, unit, paper, expected);
        }
    }

    /// <summary>Says that this run is too small for a check.</summary>
    public void NotMade(string what, Limit limit, string unit = "", double? paper = null, double? expected = null) =>
        _checks.Add(new FigureCheck(what, paper, expected, null, unit, limit, CheckOutcome.NotMade));

    /// <summary>Adds a sentence to the output.</summary>
    public void Note(string sentence) => _notes.Add(sentence);

    /// <summary>Adds a picture. It may get its points afterwards.</summary>
    public Plot Add(Plot plot)
    {
        _plots.Add(plot);
        return plot;
    }
}
