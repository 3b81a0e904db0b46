using System.CommandLine;
using CamCube.Tool.Checks;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube service check</c>: looks at compiled services, without a host.</summary>
internal static class ServiceCheckCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var files = new Argument<string[]>("FILE")
        {
            Description = "Assemblies of services: .dll files.",
            Arity = ArgumentArity.OneOrMore,
        };
        var check = new Command(
            "check",
            "Says of compiled services what the analyzers say of their sources (CC0001 and so on): blocking calls, "
                + "clocks, threads and randomness that are not the server's, packets that are used after they went "
                + "or that nobody gives back, the server on other threads, headers and ids that cannot be, static "
                + "state. Exit code 0: nothing, 1: something, 2: a file is no assembly."
        )
        {
            files,
        };
        examples[check] = """
            camcube service check MyService.dll                  one line per breach, as compilers print them
            camcube service check MyService.dll --json           one line of JSON
            """;
        check.SetAction(parsed =>
            Run(parsed.GetValue(files)!, parsed.GetValue(common.Json), parsed.InvocationConfiguration.Output)
        );
        return check;
    }

    private static int Run(string[] files, bool json, TextWriter output)
    {
        List<CheckResult> results;
        try
        {
            results = [.. files.Select(file => ServiceChecker.Check(file))];
        }
        catch (BadAssemblyException e)
        {
            throw new ToolException(ExitCode.Usage, e.Message);
        }

        var report = new Report(output);
        if (json)
        {
            report.Line(ToolJson.Of(results));
        }
        else
        {
            results.ForEach(result => Print(result, report));
        }

        return results.Any(result => result.Breaches.Count > 0) ? ExitCode.Failed : ExitCode.Ok;
    }

    private static void Print(CheckResult result, Report report)
    {
        foreach (Breach breach in result.Breaches)
        {
            string place =
                breach.File is not null ? $"{Short(breach.File)}:{breach.Line}: {breach.Rule} {breach.Member}"
                : breach.IlOffset == 0 ? $"{result.Assembly}: {breach.Rule} {breach.Member}"
                : $"{result.Assembly}: {breach.Rule} {breach.Member} at IL_{breach.IlOffset:x4}";
            report.Line($"{place} {breach.Use} {breach.Banned}: {breach.Advice}");
        }

        int n = result.Breaches.Count;
        string found = n switch
        {
            0 => "nothing found",
            1 => "1 finding",
            _ => $"{n} findings",
        };
        report.Line($"{result.Assembly}: {found}, {Report.Count(result.Methods)} methods scanned");
        if (n > 0 && result.WhyNoLines is { } why)
        {
            report.Line($"{result.Assembly}: no source lines, because {why}");
        }
    }

    // As compilers do: a path below the present folder is short, so that editors find it.
    private static string Short(string path)
    {
        string here = Environment.CurrentDirectory + Path.DirectorySeparatorChar;
        return path.StartsWith(here, StringComparison.Ordinal) ? path[here.Length..] : path;
    }
}
