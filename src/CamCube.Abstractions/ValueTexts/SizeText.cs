using System.Globalization;

namespace CamCube.ValueTexts;

/// <summary>Sizes in bytes as people write them: "67108864", "64MiB", "1.5 GiB". Only binary units: 64M and 64MB mean
/// two things each.</summary>
public static class SizeText
{
    private static readonly string[] Prefixes = ["", "K", "M", "G", "T"];

    /// <summary>Reads a whole number, or a number with KiB, MiB, GiB or TiB after it.</summary>
    public static bool TryParse(string text, out long bytes)
    {
        string number = text.Trim();
        if (long.TryParse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out bytes))
        {
            return true;
        }

        for (int power = 1; power < Prefixes.Length; power++)
        {
            if (
                UnitNumber.TryParse(number, Prefixes[power] + "iB", out double value)
                && value * Math.Pow(1024, power) < long.MaxValue
            )
            {
                bytes = (long)(value * Math.Pow(1024, power));
                return true;
            }
        }

        return false;
    }

    /// <summary>"64 MiB", "1.7 GiB".</summary>
    public static string Format(double bytes)
    {
        int power = 0;
        while (bytes >= 1024 && power < Prefixes.Length - 1)
        {
            bytes /= 1024;
            power++;
        }

        string unit = power == 0 ? "B" : $"{Prefixes[power]}iB";
        return string.Create(CultureInfo.InvariantCulture, $"{bytes:0.#} {unit}");
    }
}
