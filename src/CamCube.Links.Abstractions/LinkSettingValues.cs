using System.Globalization;
using CamCube.ValueTexts;

namespace CamCube;

/// <summary>Reads a link provider's settings, one by one. What is not set, or blank, is answered with what the caller
/// names; a wrong value is refused in one line that names setting, value and what is allowed. Any thread.</summary>
/// <param name="section">Where the settings stand, as in <c>CamCube:Udp</c>: for messages.</param>
/// <param name="settings">The flat settings below it (<see cref="LinkProviderRequest.Settings"/>).</param>
public sealed class LinkSettingValues(string section, IReadOnlyDictionary<string, string> settings)
{
    /// <summary>An exception that names a setting, its value and what is allowed.</summary>
    /// <param name="section">Where the setting stands, as in <c>CamCube:Udp</c>.</param>
    /// <param name="name">The setting.</param>
    /// <param name="value">Its value.</param>
    /// <param name="allowed">What would be right, with its verb: "is true or false", "are numbers from 1 to 9".</param>
    public static LinkProviderException Wrong(string section, string name, string value, string allowed) =>
        new($"{section}:{name} is '{value}', allowed {allowed}.");

    /// <inheritdoc cref="Wrong(string, string, string, string)"/>
    public LinkProviderException Wrong(string name, string value, string allowed) =>
        Wrong(section, name, value, allowed);

    /// <summary>A text without blanks around it; null: not set.</summary>
    public string? Text(string name) =>
        settings.TryGetValue(name, out string? value) && !string.IsNullOrWhiteSpace(value) ? value.Trim() : null;

    /// <summary>A whole number within limits.</summary>
    /// <exception cref="LinkProviderException">It is none.</exception>
    public int Number(string name, int otherwise, int least, int most) =>
        (int)Number(name, (long)otherwise, least, most);

    /// <inheritdoc cref="Number(string, int, int, int)"/>
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
            : throw Wrong(
                name,
                text,
                string.Create(CultureInfo.InvariantCulture, $"are numbers from {least} to {most}")
            );
    }

    /// <summary>Yes or no.</summary>
    /// <exception cref="LinkProviderException">It is neither true nor false.</exception>
    public bool Flag(string name, bool otherwise) =>
        Text(name) is not { } text ? otherwise
        : bool.TryParse(text, out bool value) ? value
        : throw Wrong(name, text, "is true or false");

    /// <summary>One of an enumeration's names, without case.</summary>
    /// <exception cref="LinkProviderException">It is none of them.</exception>
    public T Choice<T>(string name, T otherwise)
        where T : struct, Enum
    {
        if (Text(name) is not { } text)
        {
            return otherwise;
        }

        // A number would be accepted by Enum.TryParse, defined or not.
        int i = Array.FindIndex(Enum.GetNames<T>(), n => n.Equals(text, StringComparison.OrdinalIgnoreCase));
        return i >= 0
            ? Enum.GetValues<T>()[i]
            : throw Wrong(name, text, $"are {string.Join(", ", Enum.GetNames<T>())}");
    }

    /// <summary>A duration within limits, as <see cref="DurationText"/> reads it.</summary>
    /// <exception cref="LinkProviderException">It is none.</exception>
    public TimeSpan Duration(string name, TimeSpan otherwise, TimeSpan least, TimeSpan most)
    {
        if (Text(name) is not { } text)
        {
            return otherwise;
        }

        return DurationText.TryParse(text, out TimeSpan time) && time >= least && time <= most
            ? time
            : throw Wrong(
                name,
                text,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"is a duration from {least.TotalSeconds}s to {most.TotalSeconds}s, as in 200ms, 1.5s, 2min or 1h"
                )
            );
    }
}
