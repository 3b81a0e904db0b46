using System.Globalization;

namespace CamCube.Shim.Udp.Settings;

/// <summary>Reads single settings below <c>CamCube:Udp</c>.</summary>
/// <param name="settings">The flat settings.</param>
internal readonly struct SettingValues(IReadOnlyDictionary<string, string> settings)
{
    private static readonly (string Unit, double Nanos)[] Units =
    [
        ("us", 1e3),
        ("ms", 1e6),
        ("min", 60e9),
        ("s", 1e9),
        ("h", 3600e9),
    ];

    /// <summary>An exception that names a setting, its value and what is allowed.</summary>
    public static LinkProviderException Wrong(string name, string value, string allowed) =>
        new($"CamCube:Udp:{name} = '{value}': allowed is {allowed}.");

    /// <summary>A text without blanks around it; null: not set.</summary>
    public string? Text(string name) =>
        settings.TryGetValue(name, out string? value) && !string.IsNullOrWhiteSpace(value) ? value.Trim() : null;

    /// <summary>A whole number.</summary>
    public int Number(string name, int otherwise, int least, int most) =>
        (int)Number(name, (long)otherwise, least, most);

    /// <summary>A whole number.</summary>
    public long Number(string name, long otherwise, long least, long most)
    {
        if (Text(name) is not { } text)
        {
            return otherwise;
        }

        return
            long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long value)
            && value >= least
            && value <= most
            ? value
            : throw Wrong(name, text, string.Create(CultureInfo.InvariantCulture, $"{least} to {most}"));
    }

    /// <summary>Yes or no.</summary>
    public bool Flag(string name, bool otherwise) =>
        Text(name) is not { } text ? otherwise
        : bool.TryParse(text, out bool value) ? value
        : throw Wrong(name, text, "true or false");

    /// <summary>A duration, in nanoseconds.</summary>
    public long Nanos(string name, string otherwise, TimeSpan least, TimeSpan most)
    {
        string text = Text(name) ?? otherwise;
        foreach ((string unit, double nanos) in Units)
        {
            if (
                text.EndsWith(unit, StringComparison.OrdinalIgnoreCase)
                && double.TryParse(
                    text.AsSpan(0, text.Length - unit.Length).TrimEnd(),
                    NumberStyles.AllowDecimalPoint,
                    CultureInfo.InvariantCulture,
                    out double number
                )
                && number * nanos >= least.TotalNanoseconds
                && number * nanos <= most.TotalNanoseconds
            )
            {
                return (long)(number * nanos);
            }
        }

        return
            TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan time)
            && text.Contains(':')
            && time >= least
            && time <= most
            ? (long)time.TotalNanoseconds
            : throw Wrong(
                name,
                text,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"a duration from {least.TotalSeconds}s to {most.TotalSeconds}s, as in 200ms, 1.5s, 2min or 1h"
                )
            );
    }
}
