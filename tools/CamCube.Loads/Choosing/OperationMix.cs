using System.Globalization;

namespace CamCube.Loads.Choosing;

/// <summary>How often what is asked. Immutable.</summary>
public sealed class OperationMix
{
    private static readonly (string Name, OperationKind Kind)[] All =
    [
        ("get", OperationKind.Get),
        ("put", OperationKind.Put),
        ("insert", OperationKind.Insert),
        ("rmw", OperationKind.ReadModifyWrite),
        ("incr", OperationKind.Increment),
        ("delete", OperationKind.Delete),
    ];

    private readonly (OperationKind Kind, int Part)[] _parts;
    private readonly int _sum;

    /// <summary>A mix.</summary>
    /// <param name="parts">Each kind with its part of all.</param>
    public OperationMix(params (OperationKind Kind, int Part)[] parts) =>
        (_parts, _sum) = (parts, parts.Sum(static one => one.Part));

    /// <summary>Names of kinds, as they are written.</summary>
    public static IEnumerable<string> Names => All.Select(static one => one.Name);

    /// <summary>The kinds in it.</summary>
    public IEnumerable<OperationKind> Kinds => _parts.Where(static one => one.Part > 0).Select(static one => one.Kind);

    /// <summary>The name of a kind.</summary>
    public static string NameOf(OperationKind kind) => All.First(one => one.Kind == kind).Name;

    /// <summary>Reads "get=80,put=15,incr=5": whole parts of any sum.</summary>
    public static bool TryParse(string text, out OperationMix mix)
    {
        List<(OperationKind Kind, int Part)> parts = [];
        foreach (string one in text.Split(','))
        {
            string[] words = one.Split('=');
            int at = Array.FindIndex(All, known => known.Name == words[0].Trim());
            if (
                words.Length == 2
                && at >= 0
                && !parts.Exists(part => part.Kind == All[at].Kind)
                && int.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out int part)
                && part <= 1_000_000
            )
            {
                parts.Add((All[at].Kind, part));
                continue;
            }

            parts.Clear();
            break;
        }

        mix = new OperationMix([.. parts]);
        return mix._sum > 0;
    }

    /// <summary>Draws a kind.</summary>
    public OperationKind Next(LoadRandom random)
    {
        long at = random.Below(_sum);
        foreach ((OperationKind kind, int part) in _parts)
        {
            if (at < part)
            {
                return kind;
            }

            at -= part;
        }

        return _parts[^1].Kind;
    }

    /// <inheritdoc/>
    public override string ToString() =>
        string.Join(',', _parts.Select(static one => $"{NameOf(one.Kind)}={one.Part}"));
}
