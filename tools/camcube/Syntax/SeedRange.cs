using System.Globalization;

namespace CamCube.Tool.Syntax;

/// <summary>Seeds as people write them: "7", or "1..4" with both ends.</summary>
/// <param name="First">The first.</param>
/// <param name="Count">How many, from 1 to <see cref="MostSeeds"/>.</param>
internal readonly record struct SeedRange(ulong First, int Count)
{
    /// <summary>Most seeds of one range.</summary>
    public const int MostSeeds = 100_000;

    /// <summary>Reads one seed or a range.</summary>
    public static bool TryParse(string text, out SeedRange range)
    {
        range = default;
        int dots = text.IndexOf("..", StringComparison.Ordinal);
        bool isRange = dots >= 0;
        if (!TryNumber(isRange ? text[..dots] : text, out ulong first) ||
            !TryNumber(isRange ? text[(dots + 2)..] : text, out ulong last) ||
            last < first || last - first >= MostSeeds)
        {
            return false;
        }

        range = new SeedRange(first, (int)(last - first) + 1);
        return true;
    }

    /// <summary>As it is read.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{First}..{First + (ulong)Count - 1}");

    private static bool TryNumber(string text, out ulong number) =>
        ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
