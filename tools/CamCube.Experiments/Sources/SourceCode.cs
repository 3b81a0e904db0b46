namespace CamCube.Experiments.Sources;

/// <summary>How much code there is in C# files: semicolons, as the papers count it, and lines. What is in comments,
/// strings and characters is no code. Immutable.</summary>
/// <param name="Files">Files.</param>
/// <param name="Lines">Lines with code.</param>
/// <param name="Semicolons">Semicolons.</param>
public readonly record struct SourceCode(int Files, int Lines, int Semicolons)
{
    /// <summary>Both together.</summary>
    public static SourceCode operator +(SourceCode left, SourceCode right) =>
        new(left.Files + right.Files, left.Lines + right.Lines, left.Semicolons + right.Semicolons);

    /// <summary>The text of one file.</summary>
    public static SourceCode Of(ReadOnlySpan<char> text)
    {
        (int lines, int semicolons, bool isCode) = (0, 0, false);
        for (int at = 0; at < text.Length; )
        {
            ReadOnlySpan<char> rest = text[at..];
            if (rest[0] == '\n')
            {
                (lines, isCode, at) = (lines + (isCode ? 1 : 0), false, at + 1);
                continue;
            }

            int length =
                rest.StartsWith("//") ? LengthTo(rest, "\n")
                : rest.StartsWith("/*") ? LengthTo(rest[2..], "*/") + 4
                : 0;
            if (length > 0)
            {
                at += Math.Min(length, rest.Length);
                continue;
            }

            isCode |= !char.IsWhiteSpace(rest[0]);
            semicolons += rest[0] == ';' ? 1 : 0;
            length = Math.Max(1, LengthOfText(rest));
            int breaks = rest[..Math.Min(length, rest.Length)].Count('\n');
            lines += breaks;
            at += length;
        }

        return new SourceCode(1, lines + (isCode ? 1 : 0), semicolons);
    }

    /// <summary>All files below a folder, without what is built there.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="counts">Whether a file counts, by its path from the folder on, with slashes.</param>
    public static SourceCode Below(string folder, Func<string, bool>? counts = null) =>
        Directory
            .EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
            .Select(file => (file, name: Path.GetRelativePath(folder, file).Replace('\\', '/')))
            .Where(one =>
                !one.name.StartsWith("obj/", StringComparison.Ordinal)
                && !one.name.StartsWith("bin/", StringComparison.Ordinal)
                && counts?.Invoke(one.name) != false
            )
            .Aggregate(default(SourceCode), static (sum, one) => sum + Of(File.ReadAllText(one.file)));

    // Of a string or character that begins here; 0: none does. What is interpolated counts as text.
    private static int LengthOfText(ReadOnlySpan<char> text)
    {
        int prefix = text.IndexOfAnyExcept('$', '@');
        if (prefix < 0 || text[prefix] is not ('"' or '\''))
        {
            return 0;
        }

        ReadOnlySpan<char> quoted = text[prefix..];
        int quotes = quoted.IndexOfAnyExcept('"');
        if (quotes >= 3)
        {
            return prefix + quotes + LengthTo(quoted[quotes..], quoted[..quotes]) + quotes;
        }

        bool isVerbatim = text[..prefix].Contains('@');
        char end = quoted[0];
        for (int at = 1; at < quoted.Length; at++)
        {
            if (quoted[at] == '\\' && !isVerbatim)
            {
                at++;
            }
            else if (quoted[at] == end)
            {
                if (isVerbatim && at + 1 < quoted.Length && quoted[at + 1] == end)
                {
                    at++;
                    continue;
                }

                return prefix + at + 1;
            }
        }

        return text.Length;
    }

    private static int LengthTo(ReadOnlySpan<char> text, ReadOnlySpan<char> end) =>
        text.IndexOf(end, StringComparison.Ordinal) is >= 0 and int at ? at : text.Length;
}
