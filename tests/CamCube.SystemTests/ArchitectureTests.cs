namespace CamCube.SystemTests;

/// <summary>Dependencies point inward: reads every project file and fails on a breach of
/// <see cref="ArchitectureRules"/>.</summary>
public sealed class ArchitectureTests
{
    [Fact]
    public void Every_project_names_only_what_its_room_may_name()
    {
        string root = RepositoryRoot();
        string[] projects =
        [
            .. ArchitectureRules
                .Rooms.Select(room => Path.Combine(root, room))
                .Where(Directory.Exists)
                .SelectMany(room => Directory.EnumerateFiles(room, "*.csproj", SearchOption.AllDirectories)),
        ];
        Assert.Contains(projects, p => p.EndsWith("CamCube.SystemTests.csproj", StringComparison.Ordinal));

        string[] breaches =
        [
            .. projects
                .Order(StringComparer.Ordinal)
                .SelectMany(p =>
                    ArchitectureRules.Check(Path.GetRelativePath(root, p).Replace('\\', '/'), File.ReadAllText(p))
                ),
        ];

        Assert.True(breaches.Length == 0, string.Join(Environment.NewLine, breaches));
    }

    [Theory]
    [InlineData("Services/CamCube.Services.Cache/CamCube.Services.Cache.csproj", "CamCube.Runtime")]
    [InlineData("Services/CamCube.Services.Cache/CamCube.Services.Cache.csproj", "CamCube.Services.KeyValue")]
    [InlineData(
        "Services/CamCube.Services.Cache.Contracts/CamCube.Services.Cache.Contracts.csproj",
        "CamCube.Topology"
    )]
    [InlineData("Shim/CamCube.Shim.Udp/CamCube.Shim.Udp.csproj", "CamCube.Simulator")]
    [InlineData("src/CamCube.Abstractions/CamCube.Abstractions.csproj", "CamCube.Topology")]
    [InlineData("Services/CamCube.Services.Cache/CamCube.Services.Cache.csproj", "CamCube.Links.Abstractions")]
    [InlineData("Services/CamCube.Services.Cache/CamCube.Services.Cache.csproj", "CamCube.FrontEnds")]
    [InlineData("Services/CamCube.Services.Cache/CamCube.Services.Cache.csproj", "CamCube.Services.Cache.Memcached")]
    [InlineData(
        "Services/CamCube.Services.Cache.Memcached/CamCube.Services.Cache.Memcached.csproj",
        "CamCube.Services.Cache"
    )]
    [InlineData("src/CamCube.Runtime/CamCube.Runtime.csproj", "CamCube.Simulator")]
    [InlineData("src/CamCube.Host/CamCube.Host.csproj", "CamCube.Services.Cache")]
    [InlineData("tests/CamCube.SystemTests/CamCube.SystemTests.csproj", "CamCube.Host")]
    [InlineData("tools/CamCube.Memcached/CamCube.Memcached.csproj", "CamCube.Hosting")]
    [InlineData("tools/CamCube.Testbed/CamCube.Testbed.csproj", "CamCube.Runtime")]
    [InlineData("tools/CamCube.Experiments/CamCube.Experiments.csproj", "CamCube.Swarm")]
    [InlineData("tools/CamCube.Swarm/CamCube.Swarm.csproj", "CamCube.Testbed")]
    public void A_planted_breach_is_reported(string project, string named)
    {
        string windowsPath = Project($"""<ProjectReference Include="..\..\x\{named}\{named}.csproj" />""");
        string assembly = Project($"""<Reference Include="{named}" />""");
        string element = Project($"<ProjectReference><Include>../{named}.csproj</Include></ProjectReference>");

        Assert.All(
            [windowsPath, assembly, element],
            content =>
                Assert.Contains($"{project}: names {named},", Assert.Single(ArchitectureRules.Check(project, content)))
        );
    }

    [Theory]
    [InlineData("Services/CamCube.Services.Cache/CamCube.Services.Cache.csproj", "CamCube.Services.KeyValue.Contracts")]
    [InlineData("src/CamCube.Host/CamCube.Host.csproj", "CamCube.Shim.Udp")]
    [InlineData("tests/CamCube.Runtime.Tests/CamCube.Runtime.Tests.csproj", "CamCube.Simulator")]
    [InlineData("tools/camcube/camcube.csproj", "CamCube.Services.Cache")]
    public void What_a_room_may_name_is_not_reported(string project, string named)
    {
        Assert.Empty(
            ArchitectureRules.Check(
                project,
                Project($"""<ProjectReference Include="../../x/{named}/{named}.csproj" />""")
            )
        );
    }

    [Theory]
    [InlineData("src/CamCube.Unheard/CamCube.Unheard.csproj")]
    [InlineData("src/CamCube.Services.Cache/CamCube.Services.Cache.csproj")]
    public void A_project_without_a_rule_is_reported_with_the_place_to_add_one(string project)
    {
        string breach = Assert.Single(ArchitectureRules.Check(project, Project("")));
        Assert.Contains("tests/CamCube.SystemTests/ArchitectureRules.cs", breach);
    }

    [Fact]
    public void A_reference_for_the_build_order_only_does_not_count_as_naming()
    {
        string content = Project(
            """<ProjectReference Include="../A/CamCube.Host.csproj" ReferenceOutputAssembly="false" />"""
        );
        Assert.Empty(ArchitectureRules.Check("tests/CamCube.SystemTests/CamCube.SystemTests.csproj", content));
    }

    private static string Project(string items) =>
        $"""<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>{items}</ItemGroup></Project>""";

    internal static string RepositoryRoot()
    {
        string? folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, "CamCube.sln")))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return folder ?? throw new InvalidOperationException($"No CamCube.sln above {AppContext.BaseDirectory}.");
    }
}
