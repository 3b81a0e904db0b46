using System.Globalization;

namespace CamCube.Experiments.Plots;

/// <summary>Numbers for people.</summary>
public static class Numbers
{
    /// <summary>Whole numbers with commas, others with four significant digits and no exponent.</summary>
    public static string Short(double value)
    {
        if (!double.IsFinite(value))
        {
            return value.ToString(CultureInfo.InvariantCulture);
        }

        if (Math.Abs(value - Math.Round(value)) < 1e-9)
        {
            return Math.Round(value).ToString("#,0", CultureInfo.InvariantCulture);
        }

        int digits = Math.Clamp(3 - (int)Math.Floor(Math.Log10(Math.Abs(value))), 0, 12);
        string format = digits == 0 ? "#,0" : "#,0." + new string('#', digits);
        return value.ToString(format, CultureInfo.InvariantCulture);
    }

    /// <summary>The same, or a hyphen for what is not there.</summary>
    public static string Short(double? value) => value is { } number ? Short(number) : "-";
}
