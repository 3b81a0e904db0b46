using System.Text.RegularExpressions;

namespace CamCube.SystemTests;

/// <summary>Looks whether the files of a project keep to its floors (<see cref="FloorRules"/>).</summary>
internal static partial class FloorChecks
{
    /// <summary>The namespace in which applications look for Add methods.</summary>
    private const string Registration = "Microsoft.Extensions.DependencyInjection";

    /// <summary>Answers one sentence per breach in a project's files; none if they keep to its floors.</summary>
    /// <param name="project">Its namespace.</param>
    /// <param name="floors">Its floors.</param>
    /// <param name="files">Its files: folder below the project's, name, text.</param>
    /// <param name="withoutNamespace">Folders whose types are in the project's own namespace.</param>
    public static IReadOnlyList<string> Check(
        string project,
        string[][] floors,
        IReadOnlyCollection<(string Folder, string Name, string Text)> files,
        params string[] withoutNamespace
    )
    {
        var breaches = new List<string>();
        ILookup<(string, string), string> named = Named(project, floors, files, withoutNamespace)
            .ToLookup(n => (n.From, n.Name), n => n.To);
        foreach ((string folder, string name, string text) in files)
        {
            string own = IsPlain(folder, withoutNamespace) ? project : $"{project}.{folder.Replace('/', '.')}";
            string? space = Space().Match(text) is { Success: true } match ? match.Groups[1].Value : null;
            if (space is not null && space != own && !(folder == FloorRules.Top && space == Registration))
            {
                breaches.Add($"{folder}/{name}: is in namespace {space}, not {own} as its folder says.");
            }

            int floor = FloorOf(floors, folder);
            if (floor < 0)
            {
                breaches.Add(
                    $"{folder}/{name}: no floor says what {folder} may name; "
                        + $"add it to tests/CamCube.SystemTests/FloorRules.cs."
                );
                continue;
            }

            breaches.AddRange(
                named[(folder, name)]
                    .Distinct()
                    .Where(other => other != folder && FloorOf(floors, other) is >= 0 and int below && below <= floor)
                    .Select(other => $"{folder}/{name}: names {other}, which is not on a floor below {folder}.")
            );
        }

        return breaches;
    }

    /// <summary>Which folder each file names: once for each way in which it does.</summary>
    /// <param name="project">The project's namespace.</param>
    /// <param name="floors">Its floors.</param>
    /// <param name="files">Its files: folder below the project's, name, text.</param>
    /// <param name="withoutNamespace">Folders whose types are in the project's own namespace.</param>
    public static IEnumerable<(string From, string Name, string To)> Named(
        string project,
        string[][] floors,
        IReadOnlyCollection<(string Folder, string Name, string Text)> files,
        string[] withoutNamespace
    )
    {
        Dictionary<string, string> declared = files
            .GroupBy(f => f.Folder)
            .ToDictionary(
                group => group.Key,
                group =>
                    string.Join(
                        '|',
                        group.SelectMany(f => Declared().Matches(f.Text)).Select(m => m.Groups[1].Value).Distinct()
                    )
            );
        foreach ((string folder, string name, string text) in files)
        {
            string code = CodeOf(text);
            IEnumerable<string> spaces = Regex
                .Matches(code, $@"\b{Regex.Escape(project)}\.([A-Z]\w*(?:\.[A-Z]\w*)*)")
                .Select(m => FolderIn(floors, m.Groups[1].Value.Replace('.', '/')));

            // Types in the project's own namespace are seen from everywhere without a using; folders beside each other
            // are seen by their short names, as in High.B.
            IEnumerable<string> types = declared
                .Where(other =>
                    other.Key != folder
                    && other.Value.Length > 0
                    && Regex.IsMatch(
                        code,
                        IsPlain(other.Key, withoutNamespace)
                            ? $@"(?<![\w.])(?:{other.Value})\b"
                            : $@"(?<![\w.]){Regex.Escape(other.Key.Replace('/', '.'))}\.(?:{other.Value})\b"
                    )
                )
                .Select(other => other.Key);
            foreach (string other in spaces.Concat(types))
            {
                yield return (folder, name, other);
            }
        }
    }

    /// <summary>A file without comments, and without what is said in quotes.</summary>
    public static string CodeOf(string text) => Comment().Replace(Text().Replace(text, "\"\""), "");

    private static bool IsPlain(string folder, string[] withoutNamespace) =>
        folder == FloorRules.Top
        || withoutNamespace.Contains(folder)
        || withoutNamespace.Contains(FloorRules.Everywhere);

    /// <summary>The folder that a name begins with: the deepest one that has a floor, or the name as it is.</summary>
    private static string FolderIn(string[][] floors, string name) =>
        floors
            .SelectMany(floor => floor)
            .Where(folder => name == folder || name.StartsWith(folder + "/", StringComparison.Ordinal))
            .MaxBy(folder => folder.Length)
        ?? name;

    private static int FloorOf(string[][] floors, string folder) =>
        Array.FindIndex(floors, floor => floor.Contains(folder));

    [GeneratedRegex(@"^namespace ([\w.]+);", RegexOptions.Multiline)]
    private static partial Regex Space();

    [GeneratedRegex(@"^(?:\w+ )*(?:class|struct|interface|enum|record)(?: struct)? (\w+)", RegexOptions.Multiline)]
    private static partial Regex Declared();

    /// <summary>What is said in quotes, without code in it.</summary>
    [GeneratedRegex("""(?<![$@"])"(?:\\.|[^"\\\n])*"(?!")""")]
    private static partial Regex Text();

    [GeneratedRegex("//.*")]
    private static partial Regex Comment();
}
