namespace CamCube.SystemTests;

/// <summary>Reads every project file and fails on a friend that <see cref="FriendRules"/> does not allow.</summary>
public sealed class FriendTests
{
    [Fact]
    public void Friends_are_those_of_the_table()
    {
        string root = ArchitectureTests.RepositoryRoot();
        (string Path, string Content)[] projects =
        [
            .. Files(root, "*.csproj").Select(path => (path, File.ReadAllText(Path.Combine(root, path)))),
        ];
        Assert.Contains(projects, p => p.Path == "src/CamCube.Abstractions/CamCube.Abstractions.csproj");

        string[] breaches =
        [
            .. projects.SelectMany(p => FriendRules.Check(p.Path, p.Content)),
            .. FriendRules.Stale(projects),
            .. Files(root, "*.cs")
                .SelectMany(path => FriendRules.CheckSource(path, File.ReadAllText(Path.Combine(root, path)))),
        ];

        Assert.True(breaches.Length == 0, string.Join(Environment.NewLine, breaches));
    }

    [Theory]
    [InlineData("src/CamCube.Abstractions/CamCube.Abstractions.csproj", "CamCube.Simulator")]
    [InlineData("src/CamCube.Runtime/CamCube.Runtime.csproj", "CamCube.Hosting")]
    [InlineData("src/CamCube.Runtime/CamCube.Runtime.csproj", "CamCube.Testing")]
    [InlineData("src/CamCube.Linux/CamCube.Linux.csproj", "CamCube.Runtime")]
    [InlineData("src/CamCube.Links/CamCube.Links.csproj", "camcube")]
    [InlineData("tools/camcube/camcube.csproj", "CamCube.TestsOfMine")]
    public void A_planted_friend_is_reported(string project, string friend)
    {
        string breach = Assert.Single(FriendRules.Check(project, Project(friend)));

        Assert.StartsWith($"{project}: {friend} is no friend of it", breach);
    }

    [Theory]
    [InlineData("src/CamCube.Abstractions/CamCube.Abstractions.csproj", "CamCube.Runtime")]
    [InlineData("src/CamCube.Abstractions/CamCube.Abstractions.csproj", "CamCube.Abstractions.Tests")]
    public void A_friend_of_the_table_is_not_reported(string project, string friend)
    {
        Assert.Empty(FriendRules.Check(project, Project(friend)));
    }

    [Fact]
    public void A_friend_made_by_an_attribute_and_a_line_without_a_friend_are_reported()
    {
        string attribute = "[assembly: " + "InternalsVisibleTo(\"CamCube.Hosting\")]";
        Assert.Single(FriendRules.CheckSource("src/A.cs", attribute));
        Assert.Contains(
            "src/CamCube.Runtime has the friend CamCube.Simulator in the table only.",
            FriendRules.Stale([("src/CamCube.Runtime/CamCube.Runtime.csproj", Project("CamCube.Runtime.Tests"))])
        );
    }

    private static IEnumerable<string> Files(string root, string pattern) =>
        ArchitectureRules
            .Rooms.SelectMany(room =>
                Directory.EnumerateFiles(Path.Combine(root, room), pattern, SearchOption.AllDirectories)
            )
            .Select(path => Path.GetRelativePath(root, path).Replace('\\', '/'))
            .Where(path => !path.Contains("/obj/") && !path.Contains("/bin/"))
            .Order(StringComparer.Ordinal);

    private static string Project(string friend) =>
        $"""<Project><ItemGroup><InternalsVisibleTo Include="{friend}" /></ItemGroup></Project>""";
}
