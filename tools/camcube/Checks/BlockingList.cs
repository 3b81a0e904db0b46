namespace CamCube.Tool.Checks;

/// <summary>Calls that block: BlockingCalls.txt, the list that the analyzer has. Immutable; any thread.</summary>
internal static class BlockingList
{
    private static readonly Dictionary<string, string[]> ByType = Read();

    /// <summary>Whether a member's use blocks the thread.</summary>
    /// <param name="type">Full name of its type.</param>
    /// <param name="name">Its own name.</param>
    public static bool Has(string type, string name) =>
        ByType.TryGetValue(type, out string[]? names) && (names is ["*"] || names.Contains(name));

    private static Dictionary<string, string[]> Read()
    {
        using Stream stream =
            typeof(BlockingList).Assembly.GetManifestResourceStream("BlockingCalls.txt")
            ?? throw new InvalidOperationException("The list of blocking calls is not in this assembly.");
        using var reader = new StreamReader(stream);
        return reader
            .ReadToEnd()
            .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            .Select(static line => line.Split(": "))
            .ToDictionary(static line => line[0], static line => line[1].Split(' '));
    }
}
