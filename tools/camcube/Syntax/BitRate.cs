using System.Globalization;

namespace CamCube.Tool.Syntax;

/// <summary>A rate as people write it: "100mbit", "2.5gbit".</summary>
/// <param name="BitsPerSecond">Bits per second.</param>
internal readonly record struct BitRate(long BitsPerSecond)
{
    private static readonly (string Name, double Factor)[] Units = [("kbit", 1e3), ("mbit", 1e6), ("gbit", 1e9)];

    /// <summary>Reads a number and its unit, from 1 mbit to 100 gbit.</summary>
    public static bool TryParse(string text, out BitRate rate)
    {
        bool ok = Quantity.TryParse(text, Units, out double bits) && bits is >= 1e6 and <= 100e9;
        rate = ok ? new BitRate((long)Math.Round(bits)) : default;
        return ok;
    }

    /// <summary>In gbit or mbit.</summary>
    public override string ToString() =>
        BitsPerSecond >= 1_000_000_000
            ? string.Create(CultureInfo.InvariantCulture, $"{BitsPerSecond / 1e9}gbit")
            : string.Create(CultureInfo.InvariantCulture, $"{BitsPerSecond / 1e6}mbit");
}
