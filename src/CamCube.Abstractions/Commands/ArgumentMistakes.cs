using CamCube.ValueTexts;

namespace CamCube;

/// <summary>What is wrong with the arguments of a command, gathered so that all of it is said at once.</summary>
internal sealed class ArgumentMistakes(string command)
{
    private const int MostTold = 20;
    private readonly List<string> _lines = [];
    private int _untold;

    public bool Any => _lines.Count > 0;

    /// <summary>All of it, in one line.</summary>
    public string Text => string.Join(' ', _lines) + (_untold > 0 ? $" And {_untold:N0} more mistakes." : "");

    public void Add(string sentence)
    {
        if (_lines.Count < MostTold)
        {
            _lines.Add(sentence);
        }
        else
        {
            _untold++;
        }
    }

    public void Value(string name, string text, string allowed) => Add($"{name}={CommandText.Shown(text)}: {allowed}.");

    public void Unknown(string name, IReadOnlyList<CommandArgument> known)
    {
        string wrong = $"{CommandText.Shown(name)} is no argument of {command}";
        if (known.Count == 0)
        {
            Add($"{wrong}; it takes none.");
            return;
        }

        string[] names = [.. known.Select(argument => argument.Name)];
        Add(
            NearestName.Find(CommandText.Shown(name), names) is { } nearest
                ? $"{wrong}; did you mean {nearest}?"
                : $"{wrong}; there are {string.Join(", ", names)}."
        );
    }
}
