using System.CommandLine;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Output;

/// <summary>How commands answer: in one line of JSON where --json stands, in text elsewhere.</summary>
internal static class JsonOrText
{
    /// <summary>Prints an answer.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="common">Says whether JSON is wanted.</param>
    /// <param name="json">The answer in JSON.</param>
    /// <param name="text">Prints it for people.</param>
    public static void Print(ParseResult parsed, CommonOptions common, string json, Action<Report> text)
    {
        var report = new Report(parsed.InvocationConfiguration.Output);
        if (parsed.GetValue(common.Json))
        {
            report.Line(json);
        }
        else
        {
            text(report);
        }
    }

    /// <summary>Prints an answer that is one line for people, too.</summary>
    public static void Print(ParseResult parsed, CommonOptions common, string json, string words) =>
        Print(parsed, common, json, report => report.Line(words));
}
