using System.Text;

namespace CamCube.Services.Images;

/// <summary>Which names images may have: 1 to 200 bytes of UTF-8, one segment of a path (no slash), no control
/// characters, and neither <c>.</c> nor <c>..</c>. Names of 40 lower-case hexadecimal digits are given by the store
/// (<c>POST /images</c>), and an image of such a name is never replaced.</summary>
public static class ImageName
{
    /// <summary>Most bytes.</summary>
    public const int MostBytes = 200;

    private const int GivenLength = 40;

    /// <summary>What is wrong with a name, in words for people; null: nothing.</summary>
    public static string? WrongOf(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        int bytes = Encoding.UTF8.GetByteCount(name);
        return bytes is 0 or > MostBytes ? $"a name has 1 to {MostBytes} bytes of UTF-8; this one has {bytes:N0}."
            : name is "." or ".." ? "'.' and '..' are no names."
            : name.Contains('/', StringComparison.Ordinal) ? "a name is one segment of a path, without a slash."
            : name.Any(char.IsControl) ? "a name has no control characters."
            : HasLoneSurrogate(name) ? "a name is text that UTF-8 can say."
            : null;
    }

    /// <summary>Whether the store gives such names itself.</summary>
    public static bool IsGiven(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return name.Length == GivenLength && name.All(static c => char.IsAsciiHexDigitLower(c));
    }

    private static bool HasLoneSurrogate(string name)
    {
        foreach (Rune rune in name.EnumerateRunes())
        {
            if (rune == Rune.ReplacementChar && !name.Contains('\uFFFD', StringComparison.Ordinal))
            {
                return true;
            }
        }

        return false;
    }
}
