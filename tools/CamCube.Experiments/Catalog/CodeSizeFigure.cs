using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Sources;

namespace CamCube.Experiments.Catalog;

/// <summary>HPDC §5.4: how much code services are, counted in semicolons, beside the paper's. Needs the checkout that
/// the tool was built in.</summary>
public sealed class CodeSizeFigure : IFigure
{
    private const string Services = "Services/CamCube.Services.";

    // Folders of what the paper's services do not have: front ends, settings, counters, commands of an operator.
    private static readonly string[] Around = ["FrontEnds/", "Settings/", "Counting/", "Commands/"];

    private static readonly (string Name, double? Paper, string[] Folders)[] Rows =
    [
        (
            "cache and key-value store",
            1_335,
            [$"{Services}Cache", $"{Services}Cache.Contracts", $"{Services}KeyValue", $"{Services}KeyValue.Contracts"]
        ),
        ("transport: streams and messages", 569, ["src/CamCube.Messaging"]),
        ("image store", 151, [$"{Services}Images", $"{Services}Images.Contracts"]),
        ("trees", null, ["src/CamCube.Trees"]),
        ("distribution", null, [$"{Services}Distribution", $"{Services}Distribution.Contracts"]),
        ("collectives", null, [$"{Services}Collectives", $"{Services}Collectives.Contracts"]),
        ("file store", null, [$"{Services}Files", $"{Services}Files.Contracts"]),
        ("MapReduce", null, [$"{Services}Camdoop", $"{Services}Camdoop.Contracts"]),
        ("messenger", null, [$"{Services}Messenger", $"{Services}Messenger.Contracts"]),
        ("tunnel", null, [$"{Services}Tunnel"]),
    ];

    /// <inheritdoc/>
    public string Name => "code-size";

    /// <inheritdoc/>
    public string Title => "How much code services are";

    /// <inheritdoc/>
    public string Paper => "HPDC section 5.4";

    /// <inheritdoc/>
    public string? Missing => Root is null ? "needs the sources: run it as built in a checkout" : null;

    // The folder of the solution.
    private static string? Root
    {
        get
        {
            var folder = new DirectoryInfo(AppContext.BaseDirectory);
            while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "CamCube.sln")))
            {
                folder = folder.Parent;
            }

            return folder?.FullName;
        }
    }

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        string root = Root ?? throw new ExperimentException($"{Name} {Missing}.");
        run.Table.SetColumns("what", "files", "lines", "semicolons", "semicolons_of_service", "paper_semicolons");
        Plot plot = run.Add(
            new Plot(
                "code of services",
                new PlotAxis("service") { Names = [.. Rows.Select(static row => row.Name)] },
                new PlotAxis("semicolons") { Least = 0 }
            )
        );
        Series all = plot.Add("all", SeriesKind.Bars),
            core = plot.Add("without what is around it", SeriesKind.Bars),
            paper = plot.Add("paper", SeriesKind.Marks, SeriesRole.Paper);
        int empty = 0;
        for (int i = 0; i < Rows.Length; i++)
        {
            (string name, double? printed, string[] folders) = Rows[i];
            run.Report((double)i / Rows.Length, name);
            SourceCode whole = Count(root, folders, static _ => true),
                inner = Count(root, folders, static file => !Array.Exists(Around, file.StartsWith));
            empty += inner.Semicolons == 0 ? 1 : 0;
            all.Add(i, whole.Semicolons);
            core.Add(i, inner.Semicolons);
            run.Table.Add(
                name,
                whole.Files,
                whole.Lines,
                whole.Semicolons,
                inner.Semicolons,
                printed is { } number ? number : ""
            );
            run.Show(name, inner.Semicolons, "semicolons", paper: printed);
            if (printed is { } beside)
            {
                paper.Add(i, beside);
            }
        }

        run.Check("services without sources", empty, Limit.Exactly(0));
        run.Note(
            "Semicolons outside comments and texts, as the paper counts. Shown is the service with its contracts, "
                + "without front ends, settings, counters and commands, which the paper's services do not have; the "
                + "table has all. Not among it: tests, and what all services share."
        );
    }

    private static SourceCode Count(string root, string[] folders, Func<string, bool> counts) =>
        folders.Aggregate(
            default(SourceCode),
            (sum, folder) => sum + SourceCode.Below(Path.Combine(root, folder), counts)
        );
}
