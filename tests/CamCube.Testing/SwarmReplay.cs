using System.Globalization;

namespace CamCube.Testing;

/// <summary>One run as a text: a seed, numbers instead of drawn ones, and faults; without any of these those that are
/// drawn.</summary>
/// <param name="Seed">The seed.</param>
/// <param name="Numbers">Numbers by name.</param>
/// <param name="Faults">The faults; null: those that are drawn.</param>
internal sealed record SwarmReplay(
    ulong Seed,
    IReadOnlyDictionary<string, int> Numbers,
    IReadOnlyList<SwarmFault>? Faults
)
{
    private const string NoFaults = "no faults";

    /// <summary>As in <c>seed 17; writes=3; crash 1,0,2 at 12.3ms for 300ms</c>.</summary>
    public override string ToString() =>
        string.Join(
            "; ",
            [
                string.Create(CultureInfo.InvariantCulture, $"seed {Seed}"),
                .. Numbers
                    .OrderBy(static n => n.Key, StringComparer.Ordinal)
                    .Select(static n => string.Create(CultureInfo.InvariantCulture, $"{n.Key}={n.Value}")),
                .. Faults?.Select(static f => f.ToString()) ?? [],
                .. Faults is { Count: 0 } ? (string[])[NoFaults] : [],
            ]
        );

    /// <summary>Reads such a text.</summary>
    /// <param name="text">The text.</param>
    /// <param name="shape">The cube in which the faults are.</param>
    /// <exception cref="ArgumentException">It is none; says why.</exception>
    public static SwarmReplay Parse(string text, TorusShape shape)
    {
        string[] parts = text.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        if (
            parts.Length == 0
            || parts[0].Split(' ') is not ["seed", { } number]
            || !ulong.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out ulong seed)
        )
        {
            throw Bad("it begins with 'seed 17'");
        }

        Dictionary<string, int> numbers = new(StringComparer.Ordinal);
        List<SwarmFault>? faults = null;
        foreach (string part in parts[1..])
        {
            if (part == NoFaults)
            {
                faults ??= [];
            }
            else if (part.Split('=') is [{ } name, { } value] && !part.EndsWith("ms", StringComparison.Ordinal))
            {
                numbers[name.Trim()] = int.TryParse(
                    value,
                    NumberStyles.AllowLeadingSign,
                    CultureInfo.InvariantCulture,
                    out int given
                )
                    ? given
                    : throw Bad($"'{value}' is no number");
            }
            else if (SwarmFault.TryParse(part, out SwarmFault? fault) is { } wrong)
            {
                throw Bad(wrong);
            }
            else
            {
                try
                {
                    SwarmFaultPlace.Check(shape, fault!);
                }
                catch (ArgumentException e)
                {
                    throw Bad(e.Message.TrimEnd('.'));
                }

                (faults ??= []).Add(fault!);
            }
        }

        return new SwarmReplay(seed, numbers, faults);

        static ArgumentException Bad(string why) => new($"SwarmPlan.Replay: {why}.");
    }
}
