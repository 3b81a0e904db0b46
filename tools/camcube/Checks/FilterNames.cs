using System.Globalization;
using System.Text;

namespace CamCube.Tool.Checks;

/// <summary>Names of fields as Wireshark's filters take them: lower case, digits, _ and -.</summary>
internal static class FilterNames
{
    /// <summary><c>WordsLength</c> becomes <c>words_length</c>, <c>HTTPCode2</c> <c>http_code2</c>. What no filter
    /// takes becomes its number.</summary>
    public static string Of(string name)
    {
        var text = new StringBuilder();
        for (int i = 0; i < name.Length; i++)
        {
            char c = name[i];
            if (char.IsAsciiLetterUpper(c))
            {
                bool begins =
                    i > 0
                    && name[i - 1] != '_'
                    && (
                        !char.IsAsciiLetterUpper(name[i - 1])
                        || (i + 1 < name.Length && char.IsAsciiLetterLower(name[i + 1]))
                    );
                text.Append(begins ? "_" : "").Append(char.ToLowerInvariant(c));
            }
            else if (char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '_' or '-')
            {
                text.Append(c);
            }
            else
            {
                text.Append(CultureInfo.InvariantCulture, $"u{(int)c:x4}");
            }
        }

        return text.ToString();
    }
}
