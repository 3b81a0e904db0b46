using System.Xml.Linq;

namespace CamCube.SystemTests;

/// <summary>Who is whose friend (InternalsVisibleTo): a friend sees all rooms of a house, whatever
/// <see cref="ArchitectureRules"/> and <see cref="FloorRules"/> say. Test projects (<c>*.Tests</c>) may be
/// friends of what they test; every other friend is named here, with the reason.</summary>
internal static class FriendRules
{
    private static readonly (string Project, string Friend, string Because)[] Friends =
    [
        ("src/CamCube.Abstractions", "CamCube.Runtime", "a packet's fields and its pool are the step machine's"),
        ("src/CamCube.Runtime", "CamCube.Simulator", "it is the second host of the step machine"),
        ("Simulator/CamCube.Simulator", "CamCube.Testing", "the test cube watches the thread that drives it"),
        ("Simulator/CamCube.Simulator", "CamCube.Benchmarks", "it times the engine without the cube around it"),
        ("Shim/CamCube.Shim.Ethernet", "CamCube.Benchmarks", "it times rings and lanes without a server"),
        ("Shim/CamCube.Shim.Udp", "CamCube.Benchmarks", "it times sealing without a server"),
        ("Services/CamCube.Services.Diagnostics", "CamCube.Benchmarks", "it counts what its load services count"),
        (
            "Services/CamCube.Services.KeyValue",
            "CamCube.Swarm",
            "it looks into all members of groups, and plants mistakes"
        ),
        ("Services/CamCube.Services.Cache", "CamCube.Swarm", "it plants mistakes"),
        ("Services/CamCube.Services.Camdoop", "CamCube.Swarm", "it plants mistakes, and its programs are functions"),
        ("Services/CamCube.Services.Files", "CamCube.Swarm", "it plants mistakes"),
        ("Services/CamCube.Services.Images", "CamCube.Swarm", "it plants mistakes, and its workers are simulated"),
        ("Services/CamCube.Services.Collectives", "CamCube.Swarm", "it plants mistakes, and looks what is left"),
        ("Services/CamCube.Services.Distribution", "CamCube.Swarm", "it plants mistakes, and looks what is left"),
        ("Services/CamCube.Services.Tunnel", "CamCube.Swarm", "its cards are simulated, and it plants a mistake"),
        (
            "Services/CamCube.Services.Distribution",
            "CamCube.Experiments",
            "it looks at members, not at what is said of them"
        ),
        (
            "Services/CamCube.Services.Camdoop",
            "CamCube.Experiments",
            "it has no programs, and a model of what each cable carries"
        ),
        ("Services/CamCube.Services.Images", "CamCube.Experiments", "its workers are simulated"),
        ("Services/CamCube.Services.Tunnel", "CamCube.Experiments", "its cards are simulated, and order is left out"),
        ("Services/CamCube.Services.KeyValue", "CamCube.Benchmarks", "it fills one server's store without a cube"),
    ];

    /// <summary>Answers one sentence per friend that no line allows; none if a project keeps to the table.</summary>
    /// <param name="path">Path of the csproj below the repository root, with forward slashes.</param>
    /// <param name="content">The text of the csproj.</param>
    public static IReadOnlyList<string> Check(string path, string content)
    {
        string project = ProjectOf(path);
        return
        [
            .. Named(content)
                .Where(friend => !IsAllowed(project, friend))
                .Select(friend =>
                    $"{path}: {friend} is no friend of it by tests/CamCube.SystemTests/FriendRules.cs; "
                    + "make public what it needs."
                ),
        ];
    }

    /// <summary>Answers one sentence per source file that makes friends by an attribute, past the table.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="text">Its text.</param>
    public static IReadOnlyList<string> CheckSource(string path, string text) =>
        text.Contains("[assembly: " + "InternalsVisibleTo", StringComparison.Ordinal)
            ? [$"{path}: friends are named in the project file."]
            : [];

    /// <summary>Lines of the table that no project file has any more.</summary>
    /// <param name="projects">Path and text of each csproj.</param>
    public static IReadOnlyList<string> Stale(IEnumerable<(string Path, string Content)> projects)
    {
        var there = projects.ToDictionary(p => ProjectOf(p.Path), p => Named(p.Content).ToHashSet());
        return
        [
            .. Friends
                .Where(f => !there.TryGetValue(f.Project, out HashSet<string>? named) || !named.Contains(f.Friend))
                .Select(f => $"{f.Project} has the friend {f.Friend} in the table only."),
        ];
    }

    private static bool IsAllowed(string project, string friend) =>
        Friends.Any(f => f.Project == project && f.Friend == friend)
        || friend.EndsWith(".Tests", StringComparison.Ordinal)
        || (project.StartsWith("tests/", StringComparison.Ordinal) && friend == "CamCube.SystemTests");

    private static string ProjectOf(string path) =>
        path[..path.IndexOf('/')] + "/" + Path.GetFileNameWithoutExtension(path);

    private static IEnumerable<string> Named(string content) =>
        XDocument
            .Parse(content)
            .Descendants()
            .Where(item => item.Name.LocalName == "InternalsVisibleTo")
            .SelectMany(item => ((string?)item.Attribute("Include") ?? "").Split(';'))
            .Select(name => name.Trim())
            .Where(name => name.Length > 0);
}
