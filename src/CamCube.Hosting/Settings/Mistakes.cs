namespace CamCube.Hosting.Settings;

/// <summary>What is wrong with the settings, one line each, gathered so that all of it is said at once. One
/// thread.</summary>
internal sealed class Mistakes
{
    private const int LongestLine = 2_000;
    private const int LongestValue = 200;
    private readonly List<string> _lines = [];
    private readonly HashSet<string> _said = new(StringComparer.Ordinal);

    /// <summary>The lines in the order in which they were found.</summary>
    public IReadOnlyList<string> Lines => _lines;

    /// <summary>Whether there are any.</summary>
    public bool Any => _lines.Count > 0;

    /// <summary>Adds a line; line breaks inside it become blanks, other control characters their numbers, what is very
    /// long is cut, and a line that was said is not repeated.</summary>
    public void Add(string line)
    {
        string flat = Visible(Cut(line, LongestLine).ReplaceLineEndings(" ").Trim());
        if (_said.Add(flat))
        {
            _lines.Add(flat);
        }
    }

    /// <summary>A setting with a value that it cannot have.</summary>
    /// <param name="setting">Full name.</param>
    /// <param name="value">The value as it was written.</param>
    /// <param name="allowed">What it can have, or what is wrong, in words.</param>
    public void Value(string setting, string? value, string allowed) =>
        Add($"{Cut(setting, LongestValue)} = '{Cut(value ?? "", LongestValue)}': {allowed}.");

    private static string Cut(string text, int most) => text.Length > most ? text[..most] + "..." : text;

    /// <summary>What a terminal would obey, as text.</summary>
    private static string Visible(string text) =>
        !text.Any(char.IsControl)
            ? text
            : string.Concat(text.Select(c => char.IsControl(c) ? $"\\u{(int)c:x4}" : c.ToString()));
}
