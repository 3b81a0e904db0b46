using System.CommandLine;
using System.Text.Json.Nodes;
using CamCube.Histories;
using CamCube.Histories.Checking;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv check</c>: whether a recorded history is linearizable.</summary>
internal static class CheckCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<string> file = new("FILE") { Description = "Operations, as record writes them; -: standard input." };
        var command = new Command("check", "Says whether operations one after the other explain a history.") { file };
        examples[command] = """
            camcube kv check history.jsonl                   exit code 1 if nothing explains it
            camcube kv check history.jsonl --json | jq .contradiction
            """;
        common.RefuseHost(command, "it asks no host: the history says it all.");
        command.SetAction(parsed => Run(parsed, common, parsed.GetRequiredValue(file), [], null));
        return command;
    }

    /// <summary>Checks a history, and prints what was found.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="common">Options of all commands.</param>
    /// <param name="file">The history; -: standard input.</param>
    /// <param name="json">What stands in front of it in JSON.</param>
    /// <param name="words">What stands in front of it in words, or null.</param>
    /// <returns>The exit code.</returns>
    public static int Run(ParseResult parsed, CommonOptions common, string file, JsonObject json, string? words)
    {
        IReadOnlyList<HistoryOperation> history = Read(file);
        HistoryVerdict verdict = LinearizabilityChecker.Check(history);
        IReadOnlyList<HistoryOperation> contradiction =
            verdict.IsLinearizable == false ? Contradiction.Of(history, verdict) : [];
        int keys = history.Select(static one => one.Key).Distinct(StringComparer.Ordinal).Count();
        json["linearizable"] = verdict.IsLinearizable;
        json[words is null ? "operations" : "checked"] = history.Count;
        json[words is null ? "keys" : "keyCount"] = keys;
        json["steps"] = verdict.Steps;
        json["key"] = verdict.Key;
        json["contradiction"] = new JsonArray([.. contradiction.Select(static one => JsonValue.Create($"{one}"))]);
        JsonOrText.Print(
            parsed,
            common,
            json.ToJsonString(ToolJson.Options),
            report =>
            {
                if (words is not null)
                {
                    report.Line(words);
                }

                Show(report, history, verdict, contradiction);
            }
        );
        return verdict.IsLinearizable switch
        {
            true => ExitCode.Ok,
            false => ExitCode.Failed,
            null => ExitCode.Unavailable,
        };
    }

    private static IReadOnlyList<HistoryOperation> Read(string file)
    {
        try
        {
            return HistoryFile.Read(file == "-" ? Lines(Console.In) : File.ReadLines(file));
        }
        catch (FormatException e)
        {
            throw new ToolException(ExitCode.Usage, $"{file}: {e.Message}");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ToolException(ExitCode.Usage, $"{file} cannot be read: {e.Message}");
        }
    }

    private static IEnumerable<string> Lines(TextReader reader)
    {
        while (reader.ReadLine() is { } line)
        {
            yield return line;
        }
    }

    private static void Show(
        Report report,
        IReadOnlyList<HistoryOperation> history,
        HistoryVerdict verdict,
        IReadOnlyList<HistoryOperation> contradiction
    )
    {
        if (verdict.IsLinearizable != false)
        {
            report.Line(
                verdict.IsLinearizable is null
                    ? $"not decided: the search for key {ToolJson.Of(verdict.Key)} was given up after "
                        + $"{Report.Count(verdict.Steps)} steps"
                    : $"linearizable: {Report.Count(history.Count)} operations, {Report.Count(verdict.Steps)} steps"
            );
            return;
        }

        report.Line($"NOT LINEARIZABLE: no order explains what clients were told of key {ToolJson.Of(verdict.Key)}:");
        foreach (HistoryOperation one in contradiction)
        {
            report.Line($"  {one}");
        }
    }
}
