using System.Globalization;

namespace CamCube.ValueTexts;

/// <summary>Numbers with a unit behind them, as in "1.5 GiB" or "200ms".</summary>
internal static class UnitNumber
{
    /// <summary>The number, if the text ends with this unit, in any case; blanks may stand between them.</summary>
    public static bool TryParse(string text, string unit, out double number)
    {
        number = 0;
        return text.EndsWith(unit, StringComparison.OrdinalIgnoreCase)
            && double.TryParse(
                text.AsSpan(0, text.Length - unit.Length).TrimEnd(),
                NumberStyles.AllowDecimalPoint,
                CultureInfo.InvariantCulture,
                out number
            );
    }
}
