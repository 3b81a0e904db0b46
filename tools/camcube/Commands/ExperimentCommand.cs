using System.CommandLine;
using CamCube.Experiments.Figures;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube experiment</c>: runs figures of the papers again and compares.</summary>
/// <param name="common">Options of every command.</param>
/// <param name="figures">The figures that there are.</param>
internal sealed class ExperimentCommand(CommonOptions common, IReadOnlyList<IFigure> figures)
{
    private const string All = "all";

    private readonly Argument<string[]> _names = new("NAME")
    {
        Description = "Figures, as --list has them, or all.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    private readonly Option<bool> _list = new("--list") { Description = "List the figures and run none." };

    private readonly Option<bool> _quick = new("--quick")
    {
        Description = "Every check with as few repetitions as it allows: all figures in ten minutes on two cores.",
    };

    private readonly Option<bool> _smoke = new("--smoke")
    {
        Description = "As small as possible; checks that need more are not made.",
    };

    private readonly Option<string[]> _parts = new("--part")
    {
        Description = "Only these parts of a figure that has parts (fig4: load, routing, trips, ring, shares).",
        HelpName = "PART",
        AllowMultipleArgumentsPerToken = true,
    };

    private readonly Option<string> _out = new("--out")
    {
        Description = "Folder for NAME.json, NAME.csv and NAME.svg; made if it is not there.",
        HelpName = "DIR",
    };

    private readonly Option<ulong> _seed = Values.Seed();

    private readonly Option<Duration?> _detection = Values.Optional<Duration>(
        "--detection-time",
        "TIME",
        "Silence after which servers suspect a neighbour (10ms to 60s); as a host has it by default.",
        (string text, out Duration time) =>
            Duration.TryParse(text, out time)
            && time.Value >= TimeSpan.FromMilliseconds(10)
            && time.Value <= TimeSpan.FromSeconds(60),
        "must be a time with its unit, as in 300ms, from 10ms to 60s"
    );

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command(
            "experiment",
            "Runs figures of the papers with the real servers, in virtual time or on cables; "
                + "prints the paper's value, the expected "
                + "one and the measured one side by side; writes data and pictures."
        )
        {
            _names,
            _list,
            _quick,
            _smoke,
            _parts,
            _out,
            _seed,
            _detection,
        };
        command.Validators.Add(result =>
        {
            string[] names = result.GetValue(_names) ?? [];
            string[] parts = result.GetValue(_parts) ?? [];
            string? unknown = names.FirstOrDefault(name => !IsAll(name) && Find(name) is null);
            string? fault =
                result.GetResult(common.Host) is { Implicit: false }
                    ? "experiment runs in this process; --host is for commands that ask a host."
                : result.GetValue(_quick) && result.GetValue(_smoke) ? "--quick and --smoke exclude each other."
                : unknown is not null ? $"'{unknown}' is no figure; there are {Listed()}."
                : PartFault(names, parts) is { } part ? part
                : result.GetValue(_list) ? null
                : names.Length == 0 ? $"Name a figure, or all; there are {Listed()}."
                : string.IsNullOrEmpty(result.GetValue(_out)) ? "Say with --out DIR where the results go."
                : null;
            if (fault is not null)
            {
                result.AddError(fault);
            }
        });
        examples[command] = """
            camcube experiment --list
            camcube experiment fig5a --quick --out results
            camcube experiment fig5c --detection-time 300ms --seed 7 --out results
            camcube experiment all --quick --out results         ten minutes on two cores
            sudo camcube experiment fig4 --quick --out results   on real cables: Linux, root, iproute2
            sudo camcube experiment fig4 --part trips ring --out results

            Ctrl+C keeps what is there, marked as partial. Exit code 1: a check failed.
            """;
        command.SetAction(RunAsync);
        return command;
    }

    // Parts are of one figure: of several nobody could tell which parts were left out.
    private string? PartFault(string[] names, string[] parts)
    {
        if (parts.Length == 0)
        {
            return null;
        }

        IFigure? figure = names is [var name] ? Find(name) : null;
        return figure is null ? "--part is for one figure."
            : figure.Parts.Count == 0 ? $"{figure.Name} has no parts."
            : parts.FirstOrDefault(part => !figure.Parts.Contains(part)) is { } unknown
                ? $"'{unknown}' is no part of {figure.Name}; there are {string.Join(", ", figure.Parts)}."
            : null;
    }

    private static bool IsAll(string name) => string.Equals(name, All, StringComparison.OrdinalIgnoreCase);

    private IFigure? Find(string name) =>
        figures.FirstOrDefault(figure => string.Equals(figure.Name, name, StringComparison.OrdinalIgnoreCase));

    private string Listed() => string.Join(", ", figures.Select(figure => figure.Name));

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancel)
    {
        var report = new Report(parsed.InvocationConfiguration.Output);
        if (parsed.GetValue(_list))
        {
            List(report, parsed.GetValue(common.Json));
            return ExitCode.Ok;
        }

        string folder = parsed.GetValue(_out)!;
        FigureFiles.Prepare(folder);
        var options = new FigureOptions
        {
            Scale =
                parsed.GetValue(_smoke) ? FigureScale.Smoke
                : parsed.GetValue(_quick) ? FigureScale.Quick
                : FigureScale.Full,
            Seed = parsed.GetValue(_seed),
            DetectionTime = parsed.GetValue(_detection)?.Value,
            Parts = parsed.GetValue(_parts) ?? [],
        };
        IReadOnlyList<IFigure> chosen = Chosen(parsed.GetValue(_names)!, parsed.InvocationConfiguration.Error);
        var results = new List<FigureResult>();
        for (int i = 0; i < chosen.Count && !cancel.IsCancellationRequested; i++)
        {
            var progress = new FigureProgress(
                parsed.InvocationConfiguration.Error,
                chosen[i].Name,
                i + 1,
                chosen.Count
            );
            FigureResult result = await RunAsync(chosen[i], options, progress, cancel);
            FigureFiles.Write(result, folder);
            results.Add(result);
            if (!parsed.GetValue(common.Json))
            {
                FigureReport.Print(report, result);
            }
        }

        if (parsed.GetValue(common.Json))
        {
            report.Line(FigureFiles.ToLine(results));
        }

        return End(report, parsed.GetValue(common.Json), results, chosen.Count, folder);
    }

    private static int End(Report report, bool isJson, List<FigureResult> results, int asked, string folder)
    {
        if (results.Count < asked || results.Any(result => result.Partial))
        {
            string partial = string.Join(", ", results.Where(result => result.Partial).Select(result => result.Figure));
            throw new ToolException(
                ExitCode.Cancelled,
                partial.Length == 0
                    ? $"cancelled; {results.Count} of {asked} figures are in {folder}."
                    : $"cancelled; what there is of {partial} is in {folder}, marked as partial."
            );
        }

        string[] failed = [.. results.SelectMany(r => r.Failed.Select(what => $"{r.Figure}: {what}"))];
        if (!isJson)
        {
            string figures = asked == 1 ? "1 figure" : $"{asked} figures";
            report.Line(
                failed.Length == 0
                    ? $"{figures} in {folder}; no check failed."
                    : $"{figures} in {folder}; failed: {string.Join("; ", failed)}."
            );
        }

        return failed.Length == 0 ? ExitCode.Ok : ExitCode.Failed;
    }

    // What all leaves out is said; what was named and cannot run fails.
    private IReadOnlyList<IFigure> Chosen(string[] names, TextWriter error)
    {
        IFigure[] chosen = names.Any(IsAll) ? [.. figures] : [.. names.Select(name => Find(name)!).Distinct()];
        foreach (IFigure figure in chosen.Where(figure => figure.Missing is not null))
        {
            string line = $"{figure.Name} {figure.Missing}.";
            if (names.Any(name => Find(name) == figure))
            {
                throw new ToolException(ExitCode.Failed, line);
            }

            error.WriteLine($"left out: {line}");
        }

        return [.. chosen.Where(figure => figure.Missing is null)];
    }

    private static async Task<FigureResult> RunAsync(
        IFigure figure,
        FigureOptions options,
        FigureProgress progress,
        CancellationToken cancel
    )
    {
        try
        {
            // Not on this thread, which has yet to take care of Ctrl+C.
            return await Task.Run(
                () => FigureResult.Of(figure, options, progress.Report, cancel),
                CancellationToken.None
            );
        }
        finally
        {
            progress.End();
        }
    }

    private void List(Report report, bool isJson)
    {
        if (isJson)
        {
            report.Line(
                ToolJson.Of(
                    figures.Select(figure => new
                    {
                        figure.Name,
                        figure.Title,
                        figure.Paper,
                    })
                )
            );
            return;
        }

        Table table = Report.Table("figure", "what it shows", "paper");
        foreach (IFigure figure in figures)
        {
            Report.Row(table, figure.Name, figure.Title, figure.Paper);
        }

        report.Print(table);
    }
}
