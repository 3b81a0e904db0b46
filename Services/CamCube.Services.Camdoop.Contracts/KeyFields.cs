namespace CamCube.Services.Camdoop;

/// <summary>
/// A part of a key that it is compared or distributed by, as Hadoop's KeyFieldBasedComparator and
/// KeyFieldBasedPartitioner have it, and <c>sort -k</c>: <c>2.3,4.5nr</c>. Characters are bytes; fields and characters
/// are counted from 1. Immutable.
/// </summary>
/// <param name="StartField">The field it begins in, at least 1.</param>
/// <param name="StartChar">The character of that field it begins with, at least 1. It may lie behind the field.</param>
/// <param name="EndField">The field it ends in; 0: it ends with the key.</param>
/// <param name="EndChar">The last character of that field; 0: the field's last one.</param>
public readonly record struct KeyFields(int StartField, int StartChar, int EndField, int EndChar)
{
    /// <summary>Most of them for one job.</summary>
    public const int Most = 32;

    /// <summary>Highest number of a field or character.</summary>
    public const int HighestNumber = 100_000;

    /// <summary>Whether it is compared as a number: a minus or none, digits, and digits behind a point; what follows is
    /// not looked at, and what is no number is 0.</summary>
    public bool IsNumeric { get; init; }

    /// <summary>Whether the largest comes first.</summary>
    public bool IsReverse { get; init; }

    /// <summary>All of a key.</summary>
    public static KeyFields Whole { get; } = new(1, 1, 0, 0);

    /// <summary>The first fields of a key, in text order.</summary>
    /// <param name="fields">How many, at least 1.</param>
    public static KeyFields First(int fields) => new(1, 1, fields, 0);

    /// <summary>Reads options such as <c>-k1,1 -k2,2nr</c>, <c>-k 2n</c>, or <c>-nr</c> for all of the key. <c>-n</c>
    /// and <c>-r</c> alone are for each that has neither of its own.</summary>
    /// <param name="options">The options; empty: none.</param>
    /// <param name="fields">What they say, in their order; empty if something is wrong.</param>
    /// <returns>What is wrong, in words for people; null: nothing.</returns>
    public static string? TryParse(string options, out IReadOnlyList<KeyFields> fields)
    {
        ArgumentNullException.ThrowIfNull(options);
        fields = [];
        List<KeyFields> all = [];
        bool isNumeric = false,
            isReverse = false;
        string[] words = options.Split((char[])[' ', '\t'], StringSplitOptions.RemoveEmptyEntries);
        for (int i = 0; i < words.Length; i++)
        {
            string word = words[i];
            if (word is "-n" or "-r" or "-nr" or "-rn")
            {
                isNumeric |= word.Contains('n', StringComparison.Ordinal);
                isReverse |= word.Contains('r', StringComparison.Ordinal);
                continue;
            }

            if (!word.StartsWith("-k", StringComparison.Ordinal))
            {
                return $"'{word}' is neither -k, -n nor -r.";
            }

            string text = word.Length > 2 || i + 1 == words.Length ? word[2..] : words[++i];
            if (!TryParseOne(text, out KeyFields one))
            {
                return $"'-k{text}' is not of the form -k2.3,4.5nr: field, character, last field, last character.";
            }

            all.Add(one);
        }

        if (all.Count > Most)
        {
            return $"there are {all.Count} parts; {Most} at most.";
        }

        if (all.Count == 0 && (isNumeric || isReverse))
        {
            all.Add(Whole);
        }

        fields =
        [
            .. all.Select(one =>
                one.IsNumeric || one.IsReverse ? one : one with { IsNumeric = isNumeric, IsReverse = isReverse }
            ),
        ];
        return null;
    }

    private static bool TryParseOne(string text, out KeyFields one)
    {
        one = default;
        ReadOnlySpan<char> rest = text;
        bool isNumeric = false,
            isReverse = false;
        if (!TryPlace(ref rest, out int startField, out int startChar, 1))
        {
            return false;
        }

        Letters(ref rest, ref isNumeric, ref isReverse);
        int endField = 0,
            endChar = 0;
        if (!rest.IsEmpty)
        {
            if (rest[0] != ',')
            {
                return false;
            }

            rest = rest[1..];
            if (!TryPlace(ref rest, out endField, out endChar, 0))
            {
                return false;
            }

            Letters(ref rest, ref isNumeric, ref isReverse);
        }

        one = new KeyFields(startField, startChar, endField, endChar) { IsNumeric = isNumeric, IsReverse = isReverse };
        return rest.IsEmpty;
    }

    private static bool TryPlace(ref ReadOnlySpan<char> rest, out int field, out int character, int otherwise)
    {
        character = otherwise;
        if (!TryNumber(ref rest, 1, out field))
        {
            return false;
        }

        if (rest.IsEmpty || rest[0] != '.')
        {
            return true;
        }

        rest = rest[1..];
        return TryNumber(ref rest, otherwise, out character);
    }

    private static bool TryNumber(ref ReadOnlySpan<char> rest, int least, out int number)
    {
        number = 0;
        int length = 0;
        while (length < rest.Length && char.IsAsciiDigit(rest[length]) && number <= HighestNumber)
        {
            number = (number * 10) + (rest[length++] - '0');
        }

        rest = rest[length..];
        return length > 0 && number >= least && number <= HighestNumber;
    }

    private static void Letters(ref ReadOnlySpan<char> rest, ref bool isNumeric, ref bool isReverse)
    {
        while (!rest.IsEmpty && rest[0] is 'n' or 'r')
        {
            isNumeric |= rest[0] == 'n';
            isReverse |= rest[0] == 'r';
            rest = rest[1..];
        }
    }
}
