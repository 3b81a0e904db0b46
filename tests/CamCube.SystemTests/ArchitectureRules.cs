using System.IO.Enumeration;
using System.Xml.Linq;

namespace CamCube.SystemTests;

/// <summary>Who may name whom: one line per room, patterns with * on both sides, the first line that fits
/// decides.</summary>
internal static class ArchitectureRules
{
    /// <summary>The folders that hold projects of the product.</summary>
    public static readonly string[] Rooms = ["src", "Services", "Shim", "Simulator", "tests", "tools", "benchmarks"];

    private static readonly (string Project, string[] MayName)[] Rules =
    [
        ("src/CamCube.Abstractions", []),
        ("src/CamCube.Topology", ["CamCube.Abstractions"]),
        ("src/CamCube.Linux", []),
        ("src/CamCube.Analyzers", []),
        ("src/CamCube.Analyzers.Fixes", []),
        (
            "src/CamCube.Runtime",
            ["CamCube.Abstractions", "CamCube.Links.Abstractions", "CamCube.Linux", "CamCube.Topology"]
        ),
        ("src/CamCube.Messaging", ["CamCube.Abstractions", "CamCube.Topology"]),
        ("src/CamCube.Calls", ["CamCube.Abstractions", "CamCube.Messaging", "CamCube.Topology"]),
        ("src/CamCube.Trees", ["CamCube.Abstractions", "CamCube.Messaging", "CamCube.Topology"]),
        ("src/CamCube.Links.Abstractions", ["CamCube.Abstractions"]),
        ("src/CamCube.Links", ["CamCube.Abstractions", "CamCube.Links.Abstractions", "CamCube.Linux"]),
        ("src/CamCube.FrontEnds", ["CamCube.Abstractions", "CamCube.Linux"]),
        ("src/CamCube.Workers", ["CamCube.Abstractions", "CamCube.Linux"]),
        ("src/CamCube.Administration", ["CamCube.Abstractions"]),
        (
            "src/CamCube.Hosting",
            [
                "CamCube.Administration",
                "CamCube.FrontEnds",
                "CamCube.Linux",
                "CamCube.Runtime",
                "CamCube.Abstractions",
                "CamCube.Topology",
                "CamCube.Links",
                "CamCube.Links.Abstractions",
            ]
        ),
        (
            "src/CamCube.Host",
            [
                "CamCube.Hosting",
                "CamCube.Simulator",
                "CamCube.Messaging",
                "CamCube.Calls",
                "CamCube.Topology",
                "CamCube.Trees",
                "CamCube.Workers",
                "CamCube.Shim.*",
            ]
        ),
        ("src/CamCube.Client.*", []),
        ("Services/CamCube.Services.*.Contracts", ["CamCube.Abstractions"]),
        (
            "Services/CamCube.Services.Cache",
            [
                "CamCube.Abstractions",
                "CamCube.Topology",
                "CamCube.Messaging",
                "CamCube.Calls",
                "CamCube.Services.*.Contracts",
            ]
        ),
        (
            "Services/CamCube.Services.Cache.Memcached",
            ["CamCube.Abstractions", "CamCube.FrontEnds", "CamCube.Services.Cache.Contracts"]
        ),
        (
            "Services/CamCube.Services.KeyValue.Redis",
            ["CamCube.Abstractions", "CamCube.FrontEnds", "CamCube.Services.KeyValue.Contracts"]
        ),
        (
            "Services/CamCube.Services.Camdoop",
            [
                "CamCube.Abstractions",
                "CamCube.Topology",
                "CamCube.Messaging",
                "CamCube.FrontEnds",
                "CamCube.Trees",
                "CamCube.Workers",
                "CamCube.Services.*.Contracts",
            ]
        ),
        (
            "Services/CamCube.Services.Files",
            ["CamCube.Abstractions", "CamCube.FrontEnds", "CamCube.Services.*.Contracts"]
        ),
        ("Services/CamCube.Services.Images.Pictures", ["CamCube.Abstractions", "CamCube.Workers"]),
        ("Services/CamCube.Services.Images.Worker", ["CamCube.Services.Images.Pictures"]),
        (
            "Services/CamCube.Services.Images",
            [
                "CamCube.Abstractions",
                "CamCube.Topology",
                "CamCube.Messaging",
                "CamCube.Calls",
                "CamCube.FrontEnds",
                "CamCube.Workers",
                "CamCube.Services.Images.Pictures",
                "CamCube.Services.*.Contracts",
            ]
        ),
        (
            "Services/CamCube.Services.Collectives",
            [
                "CamCube.Abstractions",
                "CamCube.FrontEnds",
                "CamCube.Topology",
                "CamCube.Messaging",
                "CamCube.Trees",
                "CamCube.Services.*.Contracts",
            ]
        ),
        (
            "Services/CamCube.Services.Distribution",
            [
                "CamCube.Abstractions",
                "CamCube.Topology",
                "CamCube.Messaging",
                "CamCube.Trees",
                "CamCube.Services.*.Contracts",
            ]
        ),
        ("Services/CamCube.Services.Tunnel", ["CamCube.Abstractions", "CamCube.Linux", "CamCube.Topology"]),
        (
            "Services/CamCube.Services.*",
            [
                "CamCube.Abstractions",
                "CamCube.Topology",
                "CamCube.Messaging",
                "CamCube.Calls",
                "CamCube.FrontEnds",
                "CamCube.Services.*.Contracts",
            ]
        ),
        (
            "Shim/CamCube.Shim.*",
            ["CamCube.Abstractions", "CamCube.Links", "CamCube.Links.Abstractions", "CamCube.Linux"]
        ),
        (
            "Simulator/CamCube.Simulator",
            [
                "CamCube.Abstractions",
                "CamCube.Links",
                "CamCube.Links.Abstractions",
                "CamCube.Topology",
                "CamCube.Runtime",
            ]
        ),
        ("tests/CamCube.SystemTests", ["CamCube.Testbed"]),
        ("tests/CamCube.Testing", ["*"]),
        ("tests/CamCube.Testing.Camdoop", ["*"]),
        ("tests/CamCube.Testing.KeyValue", ["*"]),
        ("tests/CamCube.TestServices.Contracts", ["CamCube.Abstractions"]),
        ("tests/CamCube.TestServices.Banned", ["CamCube.Abstractions"]),
        ("tests/CamCube.TestServices.FrontEnds", ["CamCube.Abstractions", "CamCube.TestServices.Contracts"]),
        (
            "tests/CamCube.TestServices",
            ["CamCube.Abstractions", "CamCube.Links.Abstractions", "CamCube.TestServices.Contracts"]
        ),
        ("tests/CamCube.*.Tests", ["*"]),
        ("tools/CamCube.Chaos", ["CamCube.Abstractions", "CamCube.Histories", "CamCube.Loads", "CamCube.Testbed"]),
        ("tools/CamCube.Histories", []),
        ("tools/CamCube.Loads", ["CamCube.Linux"]),
        (
            "tools/CamCube.Memcached",
            [
                "CamCube.Abstractions",
                "CamCube.Linux",
                "CamCube.Runtime",
                "CamCube.Simulator",
                "CamCube.Services.Cache",
                "CamCube.Services.Cache.Memcached",
            ]
        ),
        (
            "tools/CamCube.Experiments",
            [
                "CamCube.Abstractions",
                "CamCube.Topology",
                "CamCube.Trees",
                "CamCube.Links",
                "CamCube.Loads",
                "CamCube.Messaging",
                "CamCube.Runtime",
                "CamCube.Simulator",
                "CamCube.Testbed",
                "CamCube.Services.Cache",
                "CamCube.Services.Cache.Contracts",
                "CamCube.Services.Camdoop",
                "CamCube.Services.Camdoop.Contracts",
                "CamCube.Services.Collectives",
                "CamCube.Services.Collectives.Contracts",
                "CamCube.Services.Distribution",
                "CamCube.Services.Distribution.Contracts",
                "CamCube.Services.Files.Contracts",
                "CamCube.Services.Images",
                "CamCube.Services.Images.Contracts",
                "CamCube.Services.Images.Pictures",
                "CamCube.Services.KeyValue",
                "CamCube.Services.KeyValue.Contracts",
                "CamCube.Services.Tunnel",
                "CamCube.Services.Workloads",
                "CamCube.Workers",
            ]
        ),
        (
            "tools/CamCube.Swarm",
            [
                "CamCube.Abstractions",
                "CamCube.Calls",
                "CamCube.Histories",
                "CamCube.Links",
                "CamCube.Messaging",
                "CamCube.Runtime",
                "CamCube.Simulator",
                "CamCube.Services.Cache",
                "CamCube.Services.Cache.Contracts",
                "CamCube.Services.Camdoop",
                "CamCube.Services.Camdoop.Contracts",
                "CamCube.Services.Collectives",
                "CamCube.Services.Collectives.Contracts",
                "CamCube.Services.Distribution",
                "CamCube.Services.Distribution.Contracts",
                "CamCube.Services.Files",
                "CamCube.Services.Files.Contracts",
                "CamCube.Services.Images",
                "CamCube.Services.Images.Contracts",
                "CamCube.Services.Images.Pictures",
                "CamCube.Services.KeyValue",
                "CamCube.Services.KeyValue.Contracts",
                "CamCube.Services.Messenger",
                "CamCube.Services.Messenger.Contracts",
                "CamCube.Services.Tunnel",
                "CamCube.Swarm.Jobs",
                "CamCube.Trees",
                "CamCube.Workers",
            ]
        ),
        ("tools/CamCube.Swarm.Jobs", ["CamCube.Services.Camdoop.Contracts"]),
        ("tools/CamCube.Testbed", ["CamCube.Abstractions", "CamCube.Links"]),
        ("tools/*", ["*"]),
        ("benchmarks/*", ["*"]),
    ];

    /// <summary>Answers one sentence per breach in a project file; none if it keeps to its rule.</summary>
    /// <param name="path">Path of the csproj below the repository root, with forward slashes.</param>
    /// <param name="content">The text of the csproj.</param>
    public static IReadOnlyList<string> Check(string path, string content)
    {
        string room = path[..path.IndexOf('/')] + "/" + Path.GetFileNameWithoutExtension(path);
        var (rule, mayName) = Rules.FirstOrDefault(r => Fits(r.Project, room));
        if (rule is null)
        {
            return
            [
                $"{path}: no rule says what {room} may name; "
                    + $"add one to tests/CamCube.SystemTests/ArchitectureRules.cs.",
            ];
        }

        return
        [
            .. Names(XDocument.Parse(content))
                .Where(name => !mayName.Any(pattern => Fits(pattern, name)))
                .Select(name => $"{path}: names {name}, but {rule} may name {Listed(mayName)} only."),
        ];
    }

    private static IEnumerable<string> Names(XDocument project)
    {
        foreach (XElement item in project.Descendants())
        {
            bool ours = item.Name.LocalName switch
            {
                "ProjectReference" => !IsBuildOrderOnly(item),
                "Reference" or "PackageReference" => true,
                _ => false,
            };
            if (!ours)
            {
                continue;
            }

            foreach (string include in Value(item, "Include").Split(';', StringSplitOptions.RemoveEmptyEntries))
            {
                string name = NameOf(include.Trim());
                if (item.Name.LocalName == "ProjectReference" || name.StartsWith("CamCube.", StringComparison.Ordinal))
                {
                    yield return name;
                }
            }
        }
    }

    /// <summary>A reference that only says "build this first" gives no access to the code.</summary>
    private static bool IsBuildOrderOnly(XElement item) =>
        Value(item, "ReferenceOutputAssembly").Equals("false", StringComparison.OrdinalIgnoreCase);

    private static string Value(XElement item, string name) =>
        (
            (string?)item.Attribute(name) ?? item.Elements().FirstOrDefault(e => e.Name.LocalName == name)?.Value ?? ""
        ).Trim();

    private static string NameOf(string include)
    {
        string file = include[(include.LastIndexOfAny(['/', '\\']) + 1)..];
        return
            file.EndsWith(".csproj", StringComparison.OrdinalIgnoreCase)
            || file.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
            ? Path.GetFileNameWithoutExtension(file)
            : file;
    }

    private static string Listed(string[] mayName) => mayName.Length == 0 ? "nothing" : string.Join(", ", mayName);

    private static bool Fits(string pattern, string name) =>
        FileSystemName.MatchesSimpleExpression(pattern, name, false);
}
