namespace CamCube.Tool.Checks;

/// <summary>
/// The members that code inside a server must not use, and what to do instead: BannedSymbols.txt, the very list that
/// the analyzer reads when our own services are built. Entries are documentation ids of C#. Immutable; any thread.
/// </summary>
public sealed class BannedList
{
    private readonly Dictionary<string, BannedMember> _types = [];
    private readonly Dictionary<string, BannedMember> _members = [];

    private BannedList() { }

    /// <summary>The project's list.</summary>
    public static BannedList Standard { get; } = ReadStandard();

    /// <summary>Entries of the list.</summary>
    public int Count { get; private set; }

    /// <summary>Reads a list: one documentation id per line, with advice behind a semicolon.</summary>
    /// <exception cref="FormatException">A line is no entry; it is in the message.</exception>
    public static BannedList Parse(string text)
    {
        var list = new BannedList();
        foreach (
            string line in text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
        )
        {
            list.Add(line);
        }

        return list;
    }

    /// <summary>Finds a use of a member of some type, or of the type itself.</summary>
    /// <param name="type">Full name of the type as documentation ids have it.</param>
    /// <param name="member">The member's documentation id without "M:", "F:" or "T:", as the metadata has it (accessors
    /// are methods).</param>
    internal BannedMember? Find(string type, string? member) =>
        _types.TryGetValue(type, out BannedMember? found)
        || (member is not null && _members.TryGetValue(member, out found))
            ? found
            : null;

    private static BannedList ReadStandard()
    {
        using Stream stream =
            typeof(BannedList).Assembly.GetManifestResourceStream("BannedSymbols.txt")
            ?? throw new InvalidOperationException("The list of banned members is not in this assembly.");
        using var reader = new StreamReader(stream);
        return Parse(reader.ReadToEnd());
    }

    private void Add(string line)
    {
        int semicolon = line.IndexOf(';', StringComparison.Ordinal);
        string id = semicolon < 0 ? line : line[..semicolon].Trim();
        if (id.Length < 3 || id[1] != ':')
        {
            throw new FormatException($"'{line}' is no entry of a list of banned members.");
        }

        var entry = new BannedMember(id, semicolon < 0 ? "banned inside a server" : line[(semicolon + 1)..].Trim());
        string name = id[2..];
        switch (id[0])
        {
            case 'T':
                _types.Add(name, entry);
                break;
            case 'M' or 'F':
                _members.Add(name, entry);
                break;
            case 'P':
                // In metadata a property is its accessors.
                int dot = name.LastIndexOf('.');
                _members.Add($"{name[..dot]}.get_{name[(dot + 1)..]}", entry);
                break;
            default:
                throw new FormatException($"'{line}': entries begin with T:, M:, P: or F:.");
        }

        Count++;
    }
}
