namespace CamCube.Experiments.Figures;

/// <summary>
/// One figure, table or set of numbers of the papers, run again with the real servers and services, in virtual time or
/// on cables of this machine. A class without state: everything it finds goes into the <see cref="FigureRun"/> at once,
/// so that what is there when somebody presses Ctrl+C is kept. To add a figure: implement this, list it in
/// <c>FigureCatalog</c>, describe it in docs/experiments.md.
/// </summary>
public interface IFigure
{
    /// <summary>Its name on the command line and of its files: lower-case letters, digits, hyphens.</summary>
    string Name { get; }

    /// <summary>What it shows, in one line.</summary>
    string Title { get; }

    /// <summary>Where the papers have it.</summary>
    string Paper { get; }

    /// <summary>Parts that can be run by themselves (<see cref="FigureRun.Wants"/>); none: it is one piece.</summary>
    IReadOnlyList<string> Parts => [];

    /// <summary>What this machine lacks to run it, as the end of "fig4 needs ..."; null: nothing. <c>all</c> leaves it
    /// out then.</summary>
    string? Missing => null;

    /// <summary>
    /// Runs it on the calling thread. Reports progress several times per second of CPU time
    /// (<see cref="FigureRun.Report"/>), which is also where it ends when it is cancelled.
    /// </summary>
    /// <param name="run">What to run, and where the results go.</param>
    /// <exception cref="OperationCanceledException">It was cancelled; the results so far are in the run.</exception>
    void Run(FigureRun run);
}
