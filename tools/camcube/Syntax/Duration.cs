using System.Globalization;

namespace CamCube.Tool.Syntax;

/// <summary>A time as people write it: "500us", "20ms", "1.5s", "30min".</summary>
/// <param name="Value">The time.</param>
internal readonly record struct Duration(TimeSpan Value)
{
    private static readonly (string Name, double Factor)[] Units =
    [
        ("us", 1e-6),
        ("ms", 1e-3),
        ("s", 1),
        ("min", 60),
        ("h", 3_600),
    ];

    private const double MostSeconds = 24 * 3_600;

    /// <summary>Reads a number and its unit, up to a day.</summary>
    public static bool TryParse(string text, out Duration duration)
    {
        bool ok = Quantity.TryParse(text, Units, out double seconds) && seconds <= MostSeconds;
        duration = ok ? new Duration(TimeSpan.FromTicks((long)Math.Round(seconds * TimeSpan.TicksPerSecond))) : default;
        return ok;
    }

    /// <summary>The shortest of the forms, without spaces.</summary>
    public override string ToString() =>
        Value.TotalSeconds >= 1 || Value == TimeSpan.Zero
            ? string.Create(CultureInfo.InvariantCulture, $"{Value.TotalSeconds}s")
        : Value.TotalMilliseconds >= 1 ? string.Create(CultureInfo.InvariantCulture, $"{Value.TotalMilliseconds}ms")
        : string.Create(CultureInfo.InvariantCulture, $"{Value.TotalMicroseconds}us");
}
