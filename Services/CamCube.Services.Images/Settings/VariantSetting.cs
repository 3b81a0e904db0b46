using System.Globalization;
using CamCube.Services.Images.Pictures.Wire;

namespace CamCube.Services.Images;

/// <summary>A variant as settings name it: <c>name=160x160</c>, behind that with commas <c>cover</c>, and the quality
/// as a number of 1 to 100.</summary>
/// <param name="Name">Lower-case letters, digits and hyphens, 1 to 32.</param>
/// <param name="Spec">What is made.</param>
internal readonly record struct VariantSetting(string Name, VariantSpec Spec)
{
    /// <summary>What a setting must look like.</summary>
    public const string Words =
        "name=WIDTHxHEIGHT with sides of 1 to 4,096, then perhaps ,cover and a quality: thumb=160x160,cover,80";

    private const int LongestName = 32;
    private const int LongestSide = 4_096;

    /// <summary>Reads one. False: it is none.</summary>
    public static bool TryRead(string text, out VariantSetting variant)
    {
        variant = default;
        string[] parts = text.Split(',');
        int equals = parts[0].IndexOf('=', StringComparison.Ordinal);
        string name = equals < 0 ? "" : parts[0][..equals];
        string[] sides = parts[0][(equals + 1)..].Split('x');
        if (
            name.Length is 0 or > LongestName
            || name == "info"
            || !name.All(static c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c == '-')
            || sides.Length != 2
            || !TryNumber(sides[0], LongestSide, out int width)
            || !TryNumber(sides[1], LongestSide, out int height)
        )
        {
            return false;
        }

        VariantFit fit = VariantFit.Inside;
        int quality = 0;
        foreach (string part in parts.AsSpan(1))
        {
            if (part == "cover" && fit == VariantFit.Inside)
            {
                fit = VariantFit.Cover;
            }
            else if (quality != 0 || !TryNumber(part, 100, out quality))
            {
                return false;
            }
        }

        variant = new VariantSetting(name, new VariantSpec((ushort)width, (ushort)height, fit, (byte)quality));
        return true;
    }

    private static bool TryNumber(string text, int most, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number)
        && number >= 1
        && number <= most;
}
