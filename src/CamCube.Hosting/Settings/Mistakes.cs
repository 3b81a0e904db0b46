namespace CamCube.Hosting.Settings;

/// <summary>What is wrong with the settings, one line each, gathered so that all of it is said at once. One
/// thread.</summary>
internal sealed class Mistakes
{
    private readonly List<string> _lines = [];

    /// <summary>The lines in the order in which they were found.</summary>
    public IReadOnlyList<string> Lines => _lines;

    /// <summary>Whether there are any.</summary>
    public bool Any => _lines.Count > 0;

    /// <summary>Adds a line; line breaks inside it become blanks, and a line that was said is not repeated.</summary>
    public void Add(string line)
    {
        string flat = line.ReplaceLineEndings(" ").Trim();
        if (!_lines.Contains(flat))
        {
            _lines.Add(flat);
        }
    }

    /// <summary>A setting with a value that it cannot have.</summary>
    /// <param name="setting">Full name.</param>
    /// <param name="value">The value as it was written.</param>
    /// <param name="allowed">What it can have, or what is wrong, in words.</param>
    public void Value(string setting, string? value, string allowed) => Add($"{setting} = '{value}': {allowed}.");
}
