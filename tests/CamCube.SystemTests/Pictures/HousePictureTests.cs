namespace CamCube.SystemTests.Pictures;

/// <summary>The pictures of docs/architecture.md are those of the sources. Out of date? Run this class with
/// CAMCUBE_DRAW=1, which draws them anew.</summary>
public sealed class HousePictureTests
{
    private static readonly string Root = ArchitectureTests.RepositoryRoot();
    private static readonly string Folder = Path.Combine(Root, "docs", "architecture");

    [Fact]
    public void The_picture_of_all_projects_is_that_of_the_project_files()
    {
        Hold(Path.Combine(Root, "docs", "architecture.svg"), "CamCube: projects", House.Projects(Root));
    }

    [Theory]
    [MemberData(nameof(FloorTests.Projects), MemberType = typeof(FloorTests))]
    public void The_picture_of_a_projects_folders_is_that_of_its_sources(string project)
    {
        (_, string space, string[][] floors) = FloorRules.Projects.Single(p => p.Project == project);
        Hold(PathOf(project), Path.GetFileName(project), House.Folders(Root, project, space, floors));
    }

    [Fact]
    public void No_picture_is_of_a_project_that_is_gone()
    {
        Assert.Empty(Directory.EnumerateFiles(Folder).Except(FloorRules.Projects.Select(p => PathOf(p.Project))));
    }

    [Fact]
    public void A_new_arrow_changes_the_picture_and_a_line_more_does_not()
    {
        Room low = new("Low", "src", 1, 104, []),
            high = new("High", "src", 0, 2_000, []);
        string picture = HousePicture.Draw("House", [high, low], null);

        Assert.Equal(picture, HousePicture.Draw("House", [high with { Lines = 2_300 }, low], picture));
        Assert.NotEqual(picture, HousePicture.Draw("House", [high with { Lines = 3_000 }, low], picture));
        Assert.NotEqual(picture, HousePicture.Draw("House", [high with { Names = ["Low"] }, low], picture));
    }

    [Fact]
    public void Rooms_that_no_arrow_joins_do_not_stand_apart()
    {
        Room[] joined = [new("A", "src", 0, 100, ["B"]), new("B", "src", 1, 100, [])];
        Room[] apart = [new("C", "src", 2, 100, ["D"]), new("D", "src", 3, 100, [])];

        Assert.Equal(Plan.Of(joined).Width, Plan.Of([.. joined, .. apart]).Width);
    }

    private static string PathOf(string project) => Path.Combine(Folder, Path.GetFileName(project) + ".svg");

    private static void Hold(string path, string title, IReadOnlyList<Room> rooms)
    {
        string? before = File.Exists(path) ? File.ReadAllText(path) : null;
        string drawn = HousePicture.Draw(title, rooms, before);
        if (Environment.GetEnvironmentVariable("CAMCUBE_DRAW") == "1")
        {
            Directory.CreateDirectory(Folder);
            File.WriteAllText(path, drawn);
            return;
        }

        Assert.True(
            before == drawn,
            $"{Path.GetRelativePath(Root, path)} is out of date: run this class with CAMCUBE_DRAW=1 and commit it."
        );
    }
}
