namespace CamCube.Tool.Checks;

/// <summary>Members that a rule is about: the very lists that the analyzers have. A line is a type, and behind it names
/// of its members: * for all, and !Name for all but this one. Immutable; any thread.</summary>
internal sealed class MemberList
{
    private readonly Dictionary<string, string[]> _byType;

    private MemberList(string name) => _byType = Read(name);

    /// <summary>Calls that block the thread.</summary>
    public static MemberList Blocking { get; } = new("BlockingCalls.txt");

    /// <summary>Collections whose order goes by hash codes.</summary>
    public static MemberList HashOrdered { get; } = new("HashOrdered.txt");

    /// <summary>What of a server is for its loop only.</summary>
    public static MemberList Loop { get; } = new("LoopMembers.txt");

    /// <summary>Who runs what it is given on another thread.</summary>
    public static MemberList OtherThreads { get; } = new("OtherThreads.txt");

    /// <summary>Whether a member is in the list.</summary>
    /// <param name="type">Full name of its type.</param>
    /// <param name="name">Its own name; of an accessor with get_ or set_.</param>
    public bool Has(string type, string name)
    {
        name =
            name.StartsWith("get_", StringComparison.Ordinal) || name.StartsWith("set_", StringComparison.Ordinal)
                ? name[4..]
                : name;
        return _byType.TryGetValue(type, out string[]? names)
            && (names.Contains(name) || (names.Contains("*") && !names.Contains("!" + name)));
    }

    private static Dictionary<string, string[]> Read(string name)
    {
        using Stream stream =
            typeof(MemberList).Assembly.GetManifestResourceStream(name)
            ?? throw new InvalidOperationException($"{name} is not in this assembly.");
        using var reader = new StreamReader(stream);
        return reader
            .ReadToEnd()
            .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            .Select(static line => line.Split(": "))
            .ToDictionary(static line => line[0], static line => line[1].Split(' '));
    }
}
