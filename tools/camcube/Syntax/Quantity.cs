using System.Globalization;

namespace CamCube.Tool.Syntax;

/// <summary>Numbers with units.</summary>
internal static class Quantity
{
    /// <summary>Reads a decimal number without sign, exponent or thousands.</summary>
    public static bool TryNumber(ReadOnlySpan<char> text, out double value) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out value);

    /// <summary>Reads a number with one of some units behind it; the first unit that fits counts.</summary>
    public static bool TryParse(string text, ReadOnlySpan<(string Name, double Factor)> units, out double value)
    {
        foreach ((string name, double factor) in units)
        {
            if (
                text.EndsWith(name, StringComparison.OrdinalIgnoreCase)
                && TryNumber(text.AsSpan(0, text.Length - name.Length), out value)
            )
            {
                value *= factor;
                return true;
            }
        }

        value = 0;
        return false;
    }
}
