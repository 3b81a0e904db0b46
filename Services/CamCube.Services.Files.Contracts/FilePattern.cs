namespace CamCube.Services.Files;

/// <summary>
/// A path with patterns in its names, as Hadoop's clients write them: <c>*</c> any characters, <c>?</c> one,
/// <c>[a-c]</c> one of these, <c>[^a-c]</c> none of these, <c>{one,two}</c> one of several, <c>\</c> the next character
/// as it is. No pattern matches a slash. Immutable.
/// </summary>
public sealed class FilePattern
{
    private const int MostAlternatives = 1_000;
    private readonly string[][] _alternatives;

    private FilePattern(string text, string[][] alternatives) => (Text, _alternatives) = (text, alternatives);

    /// <summary>As it was written.</summary>
    public string Text { get; }

    /// <summary>Names below the root that it has patterns for.</summary>
    public int Depth => _alternatives.Length;

    /// <summary>Whether a path has patterns.</summary>
    public static bool IsPattern(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return path.AsSpan().ContainsAny("*?[{\\");
    }

    /// <summary>Reads a pattern.</summary>
    /// <param name="path">The pattern; it begins with a slash.</param>
    /// <param name="pattern">The pattern.</param>
    /// <param name="wrong">What is wrong, in words for people.</param>
    public static bool TryParse(string path, out FilePattern pattern, out string? wrong)
    {
        ArgumentNullException.ThrowIfNull(path);
        pattern = new FilePattern(path, []);
        wrong = path.StartsWith('/') ? null : "a path begins with a slash.";
        if (wrong is not null || path == FilePath.Root)
        {
            return wrong is null;
        }

        string[] names = path[1..].Split('/');
        var alternatives = new string[names.Length][];
        for (int i = 0; i < names.Length && wrong is null; i++)
        {
            List<string> all = [];
            wrong =
                names[i].Length == 0 ? "a name has 1 byte at least; one here has 0."
                : !Expand(names[i], all) ? $"there is a brace without its other in {names[i]}, or too many of them."
                : all.Any(static one => !IsWhole(one)) ? $"there is a bracket without its other in {names[i]}."
                : null;
            alternatives[i] = [.. all];
        }

        pattern = new FilePattern(path, alternatives);
        return wrong is null;
    }

    /// <summary>The name itself, where a name has no pattern; null: it has one.</summary>
    /// <param name="depth">Which name, from 0.</param>
    public string? LiteralAt(int depth) => _alternatives[depth] is [var one] && !IsPattern(one) ? one : null;

    /// <summary>Whether a name fits.</summary>
    /// <param name="depth">Which name of the pattern, from 0.</param>
    /// <param name="name">The name.</param>
    public bool Fits(int depth, string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return _alternatives[depth].Any(one => Fits(one, name));
    }

    // {a,b}{c,d} is four; a brace inside of one counts, too.
    private static bool Expand(string text, List<string> all)
    {
        int open = Find(text, 0, '{');
        if (open < 0)
        {
            all.Add(text);
            return Find(text, 0, '}') < 0 && all.Count <= MostAlternatives;
        }

        List<string> parts = [];
        int depth = 0,
            begin = open + 1,
            close = -1;
        for (int i = open; i < text.Length && close < 0; i++)
        {
            switch (text[i])
            {
                case '\\':
                    i++;
                    break;
                case '{':
                    depth++;
                    break;
                case ',' when depth == 1:
                    parts.Add(text[begin..i]);
                    begin = i + 1;
                    break;
                case '}' when --depth == 0:
                    parts.Add(text[begin..i]);
                    close = i;
                    break;
                default:
                    break;
            }
        }

        return close >= 0
            && Find(text[..open], 0, '}') < 0
            && parts.All(part =>
                all.Count <= MostAlternatives && Expand(text[..open] + part + text[(close + 1)..], all)
            );
    }

    private static int Find(string text, int from, char wanted)
    {
        for (int i = from; i < text.Length; i++)
        {
            if (text[i] == '\\')
            {
                i++;
            }
            else if (text[i] == wanted)
            {
                return i;
            }
        }

        return -1;
    }

    private static bool IsWhole(string pattern)
    {
        for (int i = 0; i < pattern.Length; i++)
        {
            if (pattern[i] == '\\')
            {
                i++;
            }
            else if (pattern[i] == '[')
            {
                i = EndOfSet(pattern, i);
                if (i < 0)
                {
                    return false;
                }
            }
        }

        return true;
    }

    // The bracket's other; one right behind the first, or its ^, is a character of the set.
    private static int EndOfSet(string pattern, int open)
    {
        int from = open + 1;
        from += from < pattern.Length && pattern[from] is '^' or '!' ? 1 : 0;
        return from + 1 < pattern.Length ? Find(pattern, from + 1, ']') : -1;
    }

    // Each star remembers where it was last, and takes one more when the rest does not fit: no pattern takes longer
    // than its length times that of the name.
    private static bool Fits(string pattern, string name)
    {
        int star = -1,
            after = 0;
        for ((int p, int n) = (0, 0); n < name.Length || p < pattern.Length; )
        {
            if (p < pattern.Length && pattern[p] == '*')
            {
                (star, after) = (p++, n);
            }
            else if (p < pattern.Length && n < name.Length && One(pattern, ref p, name[n]))
            {
                n++;
            }
            else if (star >= 0 && after < name.Length)
            {
                (p, n) = (star + 1, ++after);
            }
            else
            {
                return false;
            }
        }

        return true;
    }

    private static bool One(string pattern, ref int at, char one)
    {
        int end = at;
        bool fits;
        switch (pattern[at])
        {
            case '?':
                fits = true;
                break;
            case '[':
                end = EndOfSet(pattern, at);
                fits = IsIn(pattern.AsSpan((at + 1)..end), one);
                break;
            case '\\' when at + 1 < pattern.Length:
                fits = pattern[++end] == one;
                break;
            default:
                fits = pattern[at] == one;
                break;
        }

        at = fits ? end + 1 : at;
        return fits;
    }

    private static bool IsIn(ReadOnlySpan<char> set, char one)
    {
        bool isNot = set[0] is '^' or '!',
            isIn = false;
        for (int i = isNot ? 1 : 0; i < set.Length; i++)
        {
            i += set[i] == '\\' && i + 1 < set.Length ? 1 : 0;
            bool isRange = i + 2 < set.Length && set[i + 1] == '-';
            isIn |= isRange ? one >= set[i] && one <= set[i + 2] : one == set[i];
            i += isRange ? 2 : 0;
        }

        return isIn != isNot;
    }
}
