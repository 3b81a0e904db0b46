namespace CamCube.SystemTests;

/// <summary>Within a project arrows point in one direction: reads the sources and fails on a breach of
/// <see cref="FloorRules"/>.</summary>
public sealed class FloorTests
{
    private static readonly string[][] Floors =
    [
        ["High"],
        ["High/Part"],
        [FloorRules.Top, "Beside"],
        ["Low"],
    ];

    public static TheoryData<string> Projects => [.. FloorRules.Projects.Select(p => p.Project)];

    [Theory]
    [MemberData(nameof(Projects))]
    public void Folders_name_folders_on_lower_floors_only(string project)
    {
        (_, string space, string[][] floors) = FloorRules.Projects.Single(p => p.Project == project);
        string root = Path.Combine(ArchitectureTests.RepositoryRoot(), project);
        (string Folder, string Name, string Text)[] files =
        [
            .. Directory
                .EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
                .Select(path => Path.GetRelativePath(root, path).Replace('\\', '/'))
                .Where(path =>
                    !path.StartsWith("obj/", StringComparison.Ordinal)
                    && !path.StartsWith("bin/", StringComparison.Ordinal)
                )
                .Order(StringComparer.Ordinal)
                .Select(path => (FolderOf(path), Path.GetFileName(path), File.ReadAllText(Path.Combine(root, path)))),
        ];

        string[] withoutNamespace =
        [
            .. FloorRules.WithoutNamespace.Where(p => p.Project == project).SelectMany(p => p.Folders),
        ];
        IReadOnlyList<string> breaches = FloorChecks.Check(space, floors, files, withoutNamespace);

        Assert.True(breaches.Count == 0, string.Join(Environment.NewLine, breaches));
        Assert.Empty(floors.SelectMany(floor => floor).Except(files.Select(file => file.Folder)));
    }

    [Fact]
    public void Every_project_with_folders_has_floors()
    {
        string root = ArchitectureTests.RepositoryRoot();
        string[] projects =
        [
            .. ArchitectureRules
                .Rooms.Where(room => room is not ("tests" or "benchmarks"))
                .SelectMany(room =>
                    Directory.EnumerateFiles(Path.Combine(root, room), "*.csproj", SearchOption.AllDirectories)
                )
                .Select(path => Path.GetDirectoryName(path)!)
                .Where(folder =>
                    Directory
                        .EnumerateDirectories(folder)
                        .Any(inner => Directory.EnumerateFiles(inner, "*.cs", SearchOption.AllDirectories).Any())
                )
                .Select(folder => Path.GetRelativePath(root, folder).Replace('\\', '/'))
                .Order(StringComparer.Ordinal),
        ];

        Assert.Empty(projects.Except(FloorRules.Projects.Select(p => p.Project)).Except(FloorRules.Unfinished));
        Assert.Empty(FloorRules.Projects.Select(p => p.Project).Intersect(FloorRules.Unfinished));
    }

    [Theory]
    [InlineData("Low", "using Cube.High;", "Low/A.cs: names High")]
    [InlineData("Low", "using Cube.Beside;", "Low/A.cs: names Beside")]
    [InlineData("Low", "internal class A(Options options);", "Low/A.cs: names .")]
    [InlineData("Beside", "internal class A { Options? O; }", "Beside/A.cs: names .")]
    [InlineData("Beside", "using Cube.High;", "Beside/A.cs: names High")]
    [InlineData("Low", "internal class A { object O = new Cube.High.B(); }", "Low/A.cs: names High")]
    [InlineData("Low", "using Cube.High.Part;", "Low/A.cs: names High/Part")]
    [InlineData("High/Part", "internal class A { object O = new Cube.High.B(); }", "High/Part/A.cs: names High")]
    [InlineData("Low", "internal class A { object O = new High.B(); }", "Low/A.cs: names High")]
    [InlineData("Unheard", "", "Unheard/A.cs: no floor says")]
    public void A_planted_breach_is_reported(string folder, string code, string told)
    {
        Assert.StartsWith(told, Assert.Single(Check(folder, $"Cube.{folder.Replace('/', '.')}", code)));
    }

    [Theory]
    [InlineData("Plain", "Beside", "internal class A(Part part);", "Beside/A.cs: names Plain")]
    [InlineData("Plain", "Beside", "internal class A { Part[] P; }", "Beside/A.cs: names Plain")]
    [InlineData(FloorRules.Everywhere, "Low", "internal class A(Part part);", "Low/A.cs: names Plain")]
    public void A_type_above_is_found_without_a_namespace(string plain, string folder, string code, string told)
    {
        const string Part = "namespace Cube;\n\npublic sealed class Part;\n";
        string space = plain == FloorRules.Everywhere ? "Cube" : $"Cube.{folder}";
        IReadOnlyList<string> breaches = FloorChecks.Check(
            "Cube",
            [
                ["Plain"],
                ["Beside", "Low"],
            ],
            [("Plain", "Part.cs", Part), (folder, "A.cs", $"namespace {space};\n\n{code}\n")],
            plain
        );

        Assert.StartsWith(told, Assert.Single(breaches));
    }

    [Fact]
    public void A_folder_without_namespace_keeps_to_the_projects()
    {
        const string Part = "namespace Cube.Plain;\n\npublic sealed class Part;\n";
        IReadOnlyList<string> breaches = FloorChecks.Check(
            "Cube",
            [
                ["Plain"],
            ],
            [("Plain", "Part.cs", Part)],
            "Plain"
        );

        Assert.StartsWith("Plain/Part.cs: is in namespace Cube.Plain, not Cube", Assert.Single(breaches));
    }

    [Fact]
    public void A_file_in_the_wrong_folder_is_reported()
    {
        Assert.StartsWith(
            "Low/A.cs: is in namespace Cube.Elsewhere",
            Assert.Single(Check("Low", "Cube.Elsewhere", ""))
        );
    }

    [Theory]
    [InlineData("High", "using Cube.Low; internal class A(Options options);")]
    [InlineData("Beside", "using Cube.Low;")]
    [InlineData("High", "internal class A { object O = new Cube.High.Part.B(); }")]
    [InlineData("High/Part", "using Cube.Beside;")]
    [InlineData("Low", "// Cube.High is above, and Options too.")]
    [InlineData("Low", "internal class A { string S = \"Cube.High, Options\"; }")]
    public void What_a_floor_may_name_is_not_reported(string folder, string code)
    {
        Assert.Empty(Check(folder, $"Cube.{folder.Replace('/', '.')}", code));
    }

    private static IReadOnlyList<string> Check(string folder, string space, string code)
    {
        const string Options = "namespace Cube;\n\npublic sealed class Options;\n";
        const string B = "namespace Cube.High;\n\ninternal sealed class B;\n";
        return FloorChecks.Check(
            "Cube",
            Floors,
            [
                (FloorRules.Top, "Options.cs", Options),
                ("High", "B.cs", B),
                (folder, "A.cs", $"namespace {space};\n\n{code}\n"),
            ]
        );
    }

    private static string FolderOf(string path) => path.Contains('/') ? path[..path.LastIndexOf('/')] : FloorRules.Top;
}
