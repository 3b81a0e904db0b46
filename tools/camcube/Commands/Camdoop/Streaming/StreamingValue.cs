using System.Globalization;
using CamCube.Services.Camdoop;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>The value of an option, with the name that it was given under. What is no value of the wanted kind is a
/// <see cref="ToolException"/> that says both.</summary>
/// <param name="Name">As it was written.</param>
/// <param name="Text">What was written behind it.</param>
internal readonly record struct StreamingValue(string Name, string Text)
{
    // More than a cube has.
    private const int HighestRank = 1 << 20;
    private static readonly char[] ListMarks = [',', ';', ' '];

    /// <summary>A whole number in a range.</summary>
    public int Whole(int least, int most) => (int)Whole(least, (long)most);

    /// <summary>A length in bytes, from 0, with k, m, g or t behind it or nothing.</summary>
    public long Bytes()
    {
        string text = Text.Trim();
        int power =
            text.Length == 0 ? 0 : "kmgt".IndexOf(char.ToLowerInvariant(text[^1]), StringComparison.Ordinal) + 1;
        string digits = power > 0 ? text[..^1] : text;
        return
            long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out long bytes)
            && bytes <= long.MaxValue >> (10 * power)
            ? bytes << (10 * power)
            : throw Wrong("must be a number of bytes, as in 1048576 or 64m");
    }

    /// <summary>Ranks of servers: each once, one or more.</summary>
    public IReadOnlyList<int> Ranks()
    {
        SortedSet<int> ranks = [];
        foreach (string part in Text.Split(ListMarks, StringSplitOptions.RemoveEmptyEntries))
        {
            string[] ends = part.Split('-');
            if (
                ends.Length > 2
                || !int.TryParse(ends[0], NumberStyles.None, CultureInfo.InvariantCulture, out int first)
                || !int.TryParse(ends[^1], NumberStyles.None, CultureInfo.InvariantCulture, out int last)
                || first > last
                || last > HighestRank
            )
            {
                throw Wrong("must be ranks of servers, as in 0-12,20");
            }

            for (int rank = first; rank <= last; rank++)
            {
                if (!ranks.Add(rank))
                {
                    throw Wrong($"names server {rank} twice");
                }
            }
        }

        return ranks.Count > 0 ? [.. ranks] : throw Wrong("names no server");
    }

    /// <summary>A rate in bits per second, from 0.</summary>
    public long Rate() => Whole(0L, 1_000_000_000_000L);

    /// <summary>A time in milliseconds.</summary>
    public TimeSpan Milliseconds() => TimeSpan.FromMilliseconds(Whole(0L, int.MaxValue));

    /// <summary>True or false.</summary>
    public bool Flag() =>
        Text.Trim().ToLowerInvariant() switch
        {
            "true" => true,
            "false" => false,
            _ => throw Wrong("must be true or false"),
        };

    /// <summary>What lies between two things: at least one character, taken as it is.</summary>
    public string Separator() => Text.Length > 0 ? Text : throw Wrong("must have at least one character");

    /// <summary>Parts of keys.</summary>
    public IReadOnlyList<KeyFields> Fields() =>
        KeyFields.TryParse(Text, out IReadOnlyList<KeyFields> fields) is { } wrong ? throw Wrong(wrong) : fields;

    /// <summary>One of some names. Answers which.</summary>
    /// <param name="otherwise">What is said of others, behind the value.</param>
    /// <param name="names">The names.</param>
    public int OneOf(string otherwise, params string[] names)
    {
        int at = Array.IndexOf(names, Text.Trim());
        return at >= 0 ? at : throw Wrong(otherwise);
    }

    /// <summary>A value that cannot be.</summary>
    /// <param name="why">Behind the option and its value; without a point at the end.</param>
    public ToolException Wrong(string why) => new(ExitCode.Usage, $"{Name} '{Text}': {why.TrimEnd('.')}.");

    private long Whole(long least, long most) =>
        long.TryParse(Text.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out long value)
        && value >= least
        && value <= most
            ? value
            : throw Wrong($"must be a whole number from {least:N0} to {most:N0}");
}
