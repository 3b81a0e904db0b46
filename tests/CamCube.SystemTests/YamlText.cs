namespace CamCube.SystemTests;

/// <summary>Reads the YAML that packaging/ uses: maps by indentation, lists with dashes, plain values. Nothing else of
/// YAML.</summary>
internal static class YamlText
{
    /// <summary>The documents of a file; of each its values by their paths, as in <c>spec.ports[0].name</c>.</summary>
    public static IReadOnlyList<Dictionary<string, string>> Documents(string text) =>
        [.. text.Split("\n---\n").Select(document => Values(document.Split('\n')))];

    private static Dictionary<string, string> Values(IEnumerable<string> lines)
    {
        Dictionary<string, string> values = [];
        List<(int Indent, string Path)> open = [];
        Dictionary<string, int> counts = [];
        foreach (string line in lines.Where(line => line.Trim().Length > 0 && line.TrimStart()[0] != '#'))
        {
            string rest = line.TrimStart();
            int indent = line.Length - rest.Length;
            while (rest.StartsWith("- ", StringComparison.Ordinal))
            {
                string list = Enclosing(open, indent);
                int index = counts[list] = counts.GetValueOrDefault(list, -1) + 1;
                open.Add((indent, $"{list}[{index}]"));
                rest = rest[2..];
                indent += 2;
            }

            string path = Enclosing(open, indent);
            int colon = rest.EndsWith(':') ? rest.Length - 1 : rest.IndexOf(": ", StringComparison.Ordinal);
            if (colon > 0)
            {
                path = path.Length > 0 ? $"{path}.{rest[..colon]}" : rest[..colon];
                open.Add((indent, path));
                rest = rest[(colon + 1)..].Trim();
            }

            if (rest.Length > 0)
            {
                values.Add(path, rest.Trim('"'));
            }
        }

        return values;
    }

    /// <summary>What a line of this indentation stands in.</summary>
    private static string Enclosing(List<(int Indent, string Path)> open, int indent)
    {
        open.RemoveAll(o => o.Indent >= indent);
        return open.Count == 0 ? "" : open[^1].Path;
    }
}
