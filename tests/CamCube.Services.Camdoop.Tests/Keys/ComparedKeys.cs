using System.Globalization;
using System.Numerics;
using System.Text;
using System.Text.RegularExpressions;

namespace CamCube.Services.Camdoop.Tests.Keys;

/// <summary>Keys compared as Hadoop's KeyFieldBasedComparator does it, by its own way of counting offsets, and with
/// numbers of System.Numerics. Characters are bytes (Latin-1).</summary>
internal static partial class ComparedKeys
{
    public static int Compare(string one, string other, IReadOnlyList<KeyFields> fields, string separator)
    {
        foreach (KeyFields part in fields)
        {
            string? first = PartOf(one, part, separator),
                second = PartOf(other, part, separator);
            int order =
                first is null || second is null ? (first is null ? 0 : 1) - (second is null ? 0 : 1)
                : part.IsNumeric ? CompareNumbers(first, second)
                : string.CompareOrdinal(first, second);
            if (order != 0)
            {
                return part.IsReverse ? -order : order;
            }
        }

        return 0;
    }

    public static string? PartOf(string key, KeyFields part, string separator)
    {
        string[] words = key.Split(separator);
        if (words.Length < part.StartField)
        {
            return null;
        }

        int position = words.Take(part.StartField - 1).Sum(word => word.Length + separator.Length);
        if (position + part.StartChar > key.Length)
        {
            return null;
        }

        int start = position + part.StartChar - 1,
            last = key.Length - 1;
        if (part.EndField != 0 && words.Length >= part.EndField)
        {
            position = words.Take(part.EndField - 1).Sum(word => word.Length + separator.Length);
            position += part.EndChar == 0 ? words[part.EndField - 1].Length : part.EndChar;
            last = position <= key.Length ? position - 1 : key.Length - 1;
        }

        return last < start ? "" : key[start..(last + 1)];
    }

    public static byte[] Bytes(string key) => Encoding.Latin1.GetBytes(key);

    private static int CompareNumbers(string one, string other)
    {
        Match first = Number().Match(one),
            second = Number().Match(other);
        int scale = Math.Max(first.Groups[2].Length, second.Groups[2].Length);
        return Scaled(first, scale).CompareTo(Scaled(second, scale));
    }

    private static BigInteger Scaled(Match number, int scale)
    {
        string digits = "0" + number.Groups[1].Value + number.Groups[2].Value.PadRight(scale, '0');
        var value = BigInteger.Parse(digits, CultureInfo.InvariantCulture);
        return number.Value.StartsWith('-') ? -value : value;
    }

    [GeneratedRegex(@"^-?([0-9]*)(?:\.([0-9]*))?")]
    private static partial Regex Number();
}
