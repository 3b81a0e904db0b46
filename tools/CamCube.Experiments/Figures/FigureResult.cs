using System.Reflection;
using System.Text.Json.Serialization;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Figures;

/// <summary>All that came out of a figure. The properties are its JSON file, in this order.</summary>
public sealed record FigureResult
{
    /// <summary>Version of the file's layout.</summary>
    public int Format => 1;

    /// <summary>Version of the program.</summary>
    public string Version => ProgramVersion;

    /// <summary>Name of the figure.</summary>
    public required string Figure { get; init; }

    /// <summary>What it shows.</summary>
    public required string Title { get; init; }

    /// <summary>Where the papers have it.</summary>
    public required string Paper { get; init; }

    /// <summary>How large it was run.</summary>
    public required FigureScale Scale { get; init; }

    /// <summary>Seed of the run.</summary>
    public required ulong Seed { get; init; }

    /// <summary>True: somebody ended it before it was complete, and this is what was there.</summary>
    public required bool Partial { get; init; }

    /// <summary>Whether no check failed.</summary>
    public bool Passed => Checks.All(check => check.Outcome != CheckOutcome.Failed);

    /// <summary>Values side by side.</summary>
    public required IReadOnlyList<FigureCheck> Checks { get; init; }

    /// <summary>Sentences about what was run and what was left out.</summary>
    public required IReadOnlyList<string> Notes { get; init; }

    /// <summary>The data, also in the CSV file.</summary>
    public required FigureTable Table { get; init; }

    /// <summary>The pictures, also in the SVG file.</summary>
    public required IReadOnlyList<Plot> Plots { get; init; }

    /// <summary>CPU time of the process for it. The only part that differs between runs of equal options.</summary>
    public required double CpuSeconds { get; init; }

    /// <summary>Names of the checks that failed.</summary>
    [JsonIgnore]
    public IEnumerable<string> Failed =>
        Checks.Where(check => check.Outcome == CheckOutcome.Failed).Select(check => check.What);

    // With eight digits of the commit, when the build knows it.
    private static string ProgramVersion { get; } =
        typeof(FigureResult).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion
            is var version
        && version.IndexOf('+') is > 0 and var plus
        && version.Length > plus + 9
            ? version[..(plus + 9)]
            : version;

    /// <summary>Runs a figure on the calling thread, to its end or until it is cancelled.</summary>
    /// <param name="figure">The figure.</param>
    /// <param name="options">How.</param>
    /// <param name="progress">See <see cref="FigureRun"/>.</param>
    /// <param name="cancel">Ends it; what is there then is the result.</param>
    public static FigureResult Of(
        IFigure figure,
        FigureOptions options,
        Action<double, string>? progress = null,
        CancellationToken cancel = default
    )
    {
        var run = new FigureRun(options, progress, cancel);
        TimeSpan began = Environment.CpuUsage.TotalTime;
        bool isPartial = false;
        try
        {
            figure.Run(run);
        }
        catch (OperationCanceledException) when (cancel.IsCancellationRequested)
        {
            isPartial = true;
        }

        return new FigureResult
        {
            Figure = figure.Name,
            Title = figure.Title,
            Paper = figure.Paper,
            Scale = options.Scale,
            Seed = options.Seed,
            Partial = isPartial,
            Checks = run.Checks,
            Notes = run.Notes,
            Table = run.Table,
            Plots = run.Plots,
            CpuSeconds = (Environment.CpuUsage.TotalTime - began).TotalSeconds,
        };
    }
}
