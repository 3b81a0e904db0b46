using System.Globalization;

namespace CamCube.Services.Diagnostics;

/// <summary>Numbers among the arguments of a command.</summary>
internal static class CommandNumbers
{
    /// <summary>Reads one.</summary>
    /// <param name="arguments">The command's arguments.</param>
    /// <param name="name">Its name.</param>
    /// <param name="standard">Its value if it is not among them.</param>
    /// <param name="least">Smallest allowed.</param>
    /// <param name="most">Largest allowed.</param>
    /// <param name="value">The number.</param>
    /// <param name="fault">What is wrong with it, in words; empty if nothing is.</param>
    public static bool TryRead(
        IReadOnlyDictionary<string, string> arguments, string name, int standard, int least, int most, out int value, out string fault)
    {
        (value, fault) = (standard, "");
        if (!arguments.TryGetValue(name, out string? text))
        {
            return true;
        }

        bool ok = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) && value >= least && value <= most;
        fault = ok ? "" : $"{name}={text} must be a whole number from {least} to {most}";
        return ok;
    }
}
