using System.Globalization;

namespace CamCube.ValueTexts;

/// <summary>Durations as people write them: "200ms", "1.5s", "2min", "1h", and the forms of TimeSpan
/// ("00:00:00.2").</summary>
public static class DurationText
{
    /// <summary>What is allowed, for messages.</summary>
    public const string Allowed = "a duration as in 200ms, 1.5s, 2min, 1h or 00:00:00.2";

    private static readonly (string Unit, double Seconds)[] Units =
    [
        ("us", 1e-6),
        ("ms", 1e-3),
        ("min", 60),
        ("s", 1),
        ("h", 3600),
    ];

    /// <summary>Reads a duration. A bare number is refused: nobody knows its unit.</summary>
    public static bool TryParse(string text, out TimeSpan duration)
    {
        text = text.Trim();
        foreach ((string unit, double seconds) in Units)
        {
            if (
                UnitNumber.TryParse(text, unit, out double number)
                && number * seconds < TimeSpan.MaxValue.TotalSeconds / 2
            )
            {
                duration = TimeSpan.FromTicks((long)Math.Round(number * seconds * TimeSpan.TicksPerSecond));
                return true;
            }
        }

        duration = default;
        return text.Contains(':') && TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out duration);
    }

    /// <summary>"200 ms", "5 s", "2 min": for messages and help.</summary>
    public static string Format(TimeSpan duration) =>
        duration switch
        {
            { TotalSeconds: < 1 } => string.Create(
                CultureInfo.InvariantCulture,
                $"{duration.TotalMilliseconds:0.###} ms"
            ),
            { TotalMinutes: < 2 } => string.Create(CultureInfo.InvariantCulture, $"{duration.TotalSeconds:0.###} s"),
            _ => string.Create(CultureInfo.InvariantCulture, $"{duration.TotalMinutes:0.###} min"),
        };
}
