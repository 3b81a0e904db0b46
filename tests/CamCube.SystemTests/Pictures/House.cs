using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace CamCube.SystemTests.Pictures;

/// <summary>What pictures are drawn from: the project files and sources of this checkout.</summary>
internal static partial class House
{
    private static readonly string[] Parts = ["src", "Services", "Shim", "Simulator", "tools"];

    /// <summary>All projects that are no tests, each above all that it names.</summary>
    public static IReadOnlyList<Room> Projects(string root)
    {
        var names = new SortedDictionary<string, string[]>(StringComparer.Ordinal);
        var paths = new Dictionary<string, string>();
        foreach (string part in Parts)
        {
            foreach (string path in Directory.EnumerateFiles(Path.Combine(root, part), "*.csproj", Deep))
            {
                string name = Path.GetFileNameWithoutExtension(path);
                paths[name] = path;
                names[name] = [.. References(File.ReadAllText(path)).Order(StringComparer.Ordinal)];
            }
        }

        var floors = new Dictionary<string, int>();
        int heightOf(string name) =>
            floors.TryGetValue(name, out int known)
                ? known
                : floors[name] = names[name].Where(names.ContainsKey).Select(heightOf).DefaultIfEmpty(-1).Max() + 1;
        int top = names.Keys.Max(heightOf);
        return
        [
            .. names.Keys.Select(name => new Room(
                Short(name),
                Path.GetRelativePath(root, paths[name]).Split('/', '\\')[0].ToLowerInvariant(),
                top - floors[name],
                Sources(Path.GetDirectoryName(paths[name])!).Sum(s => LinesOf(s.Text)),
                [.. Least(name, names).Select(Short)]
            )),
        ];
    }

    /// <summary>All projects that are no tests, as a request's way needs them.</summary>
    public static IReadOnlyDictionary<string, RequestWay.Project> Ways(string root) =>
        Parts
            .SelectMany(part => Directory.EnumerateFiles(Path.Combine(root, part), "*.csproj", Deep))
            .ToDictionary(
                path => Short(Path.GetFileNameWithoutExtension(path)),
                path => new RequestWay.Project(
                    [.. References(File.ReadAllText(path)).Select(Short)],
                    [.. Sources(Path.GetDirectoryName(path)!).Select(s => (s.Folder, s.Text))],
                    FloorRules
                        .Projects.FirstOrDefault(p =>
                            p.Project == Path.GetRelativePath(root, Path.GetDirectoryName(path)!).Replace('\\', '/')
                        )
                        .Floors
                        ?? []
                )
            );

    /// <summary>A project's folders, on the floors of <see cref="FloorRules"/>.</summary>
    public static IReadOnlyList<Room> Folders(string root, string project, string space, string[][] floors)
    {
        (string Folder, string Name, string Text)[] files =
        [
            .. Sources(Path.Combine(root, project)).Select(s => (s.Folder, s.Name, s.Text)),
        ];
        string[] plain = [.. FloorRules.WithoutNamespace.Where(p => p.Project == project).SelectMany(p => p.Folders)];
        ILookup<string, string> named = FloorChecks
            .Named(space, floors, files, plain)
            .Distinct()
            .ToLookup(n => n.From, n => n.To);
        var names = named.ToDictionary(n => n.Key, n => n.Distinct().Order(StringComparer.Ordinal).ToArray());
        return
        [
            .. floors.SelectMany(
                (floor, i) =>
                    floor.Select(folder => new Room(
                        folder == FloorRules.Top ? Short(Path.GetFileName(project)) : folder,
                        project.Split('/')[0].ToLowerInvariant(),
                        i,
                        files.Where(f => f.Folder == folder).Sum(f => LinesOf(f.Text)),
                        [
                            .. Least(folder, names)
                                .Select(other => other == FloorRules.Top ? Short(Path.GetFileName(project)) : other),
                        ]
                    ))
            ),
        ];
    }

    private static EnumerationOptions Deep => new() { RecurseSubdirectories = true };

    /// <summary>What is named, without what follows from the rest.</summary>
    private static IEnumerable<string> Least(string from, IReadOnlyDictionary<string, string[]> names)
    {
        string[] direct = [.. Of(from, names)];
        return direct.Where(to => !direct.Any(other => other != to && Reaches(other, to, names)));
    }

    private static bool Reaches(string from, string to, IReadOnlyDictionary<string, string[]> names) =>
        Of(from, names).Any(next => next == to || Reaches(next, to, names));

    private static IEnumerable<string> Of(string from, IReadOnlyDictionary<string, string[]> names) =>
        names.TryGetValue(from, out string[]? all) ? all.Where(to => to != from) : [];

    private static string Short(string project) =>
        project.StartsWith("CamCube.", StringComparison.Ordinal) ? project["CamCube.".Length..] : project;

    private static IEnumerable<string> References(string content) =>
        XDocument
            .Parse(content)
            .Descendants()
            .Where(item =>
                item.Name.LocalName == "ProjectReference"
                && (string?)item.Attribute("ReferenceOutputAssembly") != "false"
                && item.Attribute("Include") is not null
            )
            .Select(item => Path.GetFileNameWithoutExtension(((string)item.Attribute("Include")!).Replace('\\', '/')));

    private static IEnumerable<(string Folder, string Name, string Text)> Sources(string folder) =>
        Directory
            .EnumerateFiles(folder, "*.cs", Deep)
            .Select(path => Path.GetRelativePath(folder, path).Replace('\\', '/'))
            .Where(path => !Built().IsMatch(path))
            .Order(StringComparer.Ordinal)
            .Select(path =>
                (
                    path.Contains('/') ? path[..path.LastIndexOf('/')] : FloorRules.Top,
                    Path.GetFileName(path),
                    File.ReadAllText(Path.Combine(folder, path))
                )
            );

    private static int LinesOf(string text) => text.AsSpan().Count('\n');

    [GeneratedRegex("^(?:obj|bin)/")]
    private static partial Regex Built();
}
