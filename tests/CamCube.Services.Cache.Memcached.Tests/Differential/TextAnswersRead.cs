using System.Globalization;
using System.Text.RegularExpressions;

namespace CamCube.Services.Cache.Memcached.Tests.Differential;

/// <summary>Answers of the text protocol without what two servers cannot have alike, and the tokens in them.</summary>
internal static partial class TextAnswersRead
{
    /// <summary>
    /// Replaces tokens, ages, slab classes, sizes in memory and versions by their names, and rounds times to live,
    /// since seconds pass.
    /// </summary>
    public static string Mask(string answers)
    {
        answers = ValueToken().Replace(answers, "${1}TOKEN");
        answers = MetaLine().Replace(answers, line => MaskMeta(line.Value));
        answers = InspectLine().Replace(answers, line => MaskInspect(line.Value));
        return Version().Replace(answers, "VERSION");
    }

    /// <summary>Notes the tokens that answers tell.</summary>
    public static void Learn(string answers, Dictionary<string, string> tokens)
    {
        foreach (Match match in ValueWithToken().Matches(answers))
        {
            tokens[match.Groups["key"].Value] = match.Groups["token"].Value;
        }

        foreach (Match match in MetaWithToken().Matches(answers))
        {
            tokens[match.Groups["key"].Value] = match.Groups["token"].Value;
        }

        foreach (Match match in MetaWithTokenFirst().Matches(answers))
        {
            tokens[match.Groups["key"].Value] = match.Groups["token"].Value;
        }
    }

    /// <summary>Puts tokens where a batch asks for them.</summary>
    public static string Fill(string batch, Dictionary<string, string> tokens) =>
        Wanted().Replace(batch, match => tokens.GetValueOrDefault(match.Groups[1].Value, "18446744073709551614"));

    private static string MaskMeta(string line)
    {
        line = MetaToken().Replace(line, " cTOKEN");
        line = MetaAge().Replace(line, " lAGE");
        return MetaLeft().Replace(line, match => " t" + Round(match.Groups[1].Value));
    }

    private static string MaskInspect(string line)
    {
        line = Regex.Replace(line, " (la|cas|cls|size)=[0-9]+", " $1=");
        return Regex.Replace(line, "exp=-([0-9]{2,})", match => "exp=" + Round(match.Groups[1].Value));
    }

    private static string Round(string text)
    {
        // What is over wraps round below 2^32; what is years away is a time of the calendar, and the clocks differ.
        const long Step = 20,
            Far = 100_000_000,
            Over = uint.MaxValue - Far;
        long seconds = long.Parse(text, CultureInfo.InvariantCulture);
        if (seconds > Over)
        {
            return "0";
        }

        return seconds > Far ? "FAR" : ((seconds + (Step / 2)) / Step * Step).ToString(CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@"(?<=^|\n)(VALUE \S+ \d+ \d+ )\d+(?=\r)")]
    private static partial Regex ValueToken();

    [GeneratedRegex(@"(?<=^|\n)(HD|VA \d+|EN|NF|NS|EX)( [^\r\n]*)?\r")]
    private static partial Regex MetaLine();

    [GeneratedRegex(@"(?<=^|\n)ME [^\r\n]*\r")]
    private static partial Regex InspectLine();

    [GeneratedRegex(@"VERSION [^\r\n]*")]
    private static partial Regex Version();

    [GeneratedRegex(" c[1-9][0-9]*")]
    private static partial Regex MetaToken();

    [GeneratedRegex(" l[0-9]+")]
    private static partial Regex MetaAge();

    [GeneratedRegex(" t([0-9]+)")]
    private static partial Regex MetaLeft();

    [GeneratedRegex(@"(?<=^|\n)VALUE (?<key>\S+) \d+ \d+ (?<token>\d+)\r")]
    private static partial Regex ValueWithToken();

    [GeneratedRegex(@"(?<=^|\n)(HD|VA \d+)[^\r\n]* k(?<key>\S+)[^\r\n]* c(?<token>\d+)[^\r\n]*\r")]
    private static partial Regex MetaWithToken();

    [GeneratedRegex(@"(?<=^|\n)(HD|VA \d+)[^\r\n]* c(?<token>\d+)[^\r\n]* k(?<key>\S+)[^\r\n]*\r")]
    private static partial Regex MetaWithTokenFirst();

    [GeneratedRegex(@"\{([^}]*)\}")]
    private static partial Regex Wanted();
}
