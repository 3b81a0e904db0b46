using CamCube.SystemTests.Pictures;

namespace CamCube.SystemTests;

/// <summary>docs/architecture.md says which way a request takes: every room, and every arrow, is one of the
/// code.</summary>
public sealed class RequestWayTests
{
    private static readonly Dictionary<string, RequestWay.Project> House = new()
    {
        ["High"] = new(
            ["Words"],
            [("In", "class Door(IWord word);")],
            [
                ["In"],
            ]
        ),
        ["Low"] = new(
            ["Words", "Cellar"],
            [(".", "class Hall : Base, IWord;"), ("Down", "class Way(Well well);")],
            Floors
        ),
        ["Words"] = new([], [(".", "public interface IWord;")], []),
        ["Cellar"] = new([], [(".", "public class Well;")], []),
    };

    private static string[][] Floors =>
        [
            ["."],
            ["Down"],
        ];

    [Fact]
    public void The_way_of_the_page_is_that_of_the_code()
    {
        string root = ArchitectureTests.RepositoryRoot();
        IReadOnlyList<RequestWay.Step> way = RequestWay.Read(
            File.ReadAllText(Path.Combine(root, "docs", "architecture.md"))
        );

        Assert.InRange(way.Count, 8, 12);
        Assert.Equal("FrontEnds", way[0].Room);
        Assert.Empty(RequestWay.Check(way, Pictures.House.Ways(root)));
    }

    [Fact]
    public void A_way_that_is_so_has_no_breach() => Assert.Empty(RequestWay.Check(RequestWay.Read(Page()), House));

    [Theory]
    [InlineData("| Cellar | own | a | |", "| High | In | a | |", "High is entered 2 times.")]
    [InlineData("| Cellar |", "| Attic |", "There is no project Attic.")]
    [InlineData("own, Down", "own, Up, Down", "Low has no folder Up.")]
    [InlineData("own, Down", "Down, own, Down", "In Low the way leads up again.")]
    [InlineData("`IWord`", "`IVerb`", "High does not name 'IVerb' in In.")]
    [InlineData("own, Down", "Down", "Low does not offer IWord in Down.")]
    [InlineData("`Well` |", "|", "Low does not name '' in Down.")]
    [InlineData("| Cellar | own | a | |", "| Cellar | own | a | `Well` |", "The way has no end.")]
    public void A_planted_breach_is_reported(string there, string planted, string told)
    {
        string page = Page();
        Assert.Contains(there, page, StringComparison.Ordinal);

        Assert.Contains(
            told,
            RequestWay.Check(RequestWay.Read(page.Replace(there, planted, StringComparison.Ordinal)), House)
        );
    }

    [Fact]
    public void A_reference_that_is_gone_is_reported()
    {
        var house = new Dictionary<string, RequestWay.Project>(House) { ["High"] = House["High"] with { Names = [] } };

        Assert.Equal(["High references no project that has IWord."], RequestWay.Check(RequestWay.Read(Page()), house));
    }

    private static string Page() =>
        """
            ## A request's way

            | room | folders | what | goes on by |
            |---|---|---|---|
            | High | In | a | `IWord` |
            | Low | own, Down | a | `Well` |
            | Cellar | own | a | |

            """;
}
