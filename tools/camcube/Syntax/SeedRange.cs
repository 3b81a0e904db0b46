using System.CommandLine.Parsing;
using System.Globalization;

namespace CamCube.Tool.Syntax;

/// <summary>Seeds from one number to another, both included: 7, or 1..1000.</summary>
internal readonly record struct SeedRange(ulong First, ulong Last)
{
    /// <summary>Most seeds of one run.</summary>
    public const int Most = 1_000_000;

    /// <summary>Number of seeds.</summary>
    public int Count => (int)(Last - First + 1);

    /// <summary>Reads a range. Null, or what is wrong with it in words.</summary>
    public static string? TryParse(string text, out SeedRange range)
    {
        range = default;
        string[] ends = text.Split("..");
        if (ends.Length > 2 || !TryNumber(ends[0], out ulong first) || !TryNumber(ends[^1], out ulong last))
        {
            return "must be a seed or a range of them, as in 7 or 1..1000";
        }

        if (last < first)
        {
            return "is empty: the first seed is larger than the last";
        }

        if (last - first >= Most)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"has too many seeds; at most {Most:N0} go into one run"
            );
        }

        range = new SeedRange(first, last);
        return null;
    }

    /// <summary>Reads the value of an option; what is wrong with it becomes its error.</summary>
    public static SeedRange Read(ArgumentResult result)
    {
        string text = result.Tokens[0].Value;
        if (TryParse(text, out SeedRange range) is { } fault)
        {
            result.AddError(Values.Named(result, $"'{text}' {fault}."));
        }

        return range;
    }

    /// <inheritdoc/>
    public override string ToString() =>
        First == Last
            ? First.ToString(CultureInfo.InvariantCulture)
            : string.Create(CultureInfo.InvariantCulture, $"{First}..{Last}");

    private static bool TryNumber(string text, out ulong number) =>
        ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
