using CamCube.Experiments.Catalog;
using CamCube.Experiments.Catalog.Cables;
using CamCube.Experiments.Catalog.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Tests.Catalog;

/// <summary>Every figure of the product in virtual time, as small as possible. What needs cables is run in
/// CamCube.SystemTests.</summary>
public sealed class CatalogTests
{
    public static TheoryData<string> Names =>
        [
            .. FigureCatalog
                .All.Where(figure => figure is not (Fig4OnCables or LibRipcOnCables or CablesFigure))
                .Select(figure => figure.Name),
        ];

    [Theory]
    [MemberData(nameof(Names))]
    public void A_figure_runs_passes_and_runs_again_the_same(string name)
    {
        FigureResult first = Run(name, 1),
            second = Run(name, 1);

        Assert.Equal([], first.Failed);
        Assert.Contains(first.Checks, check => check.Outcome == CheckOutcome.Passed);
        Assert.NotEmpty(first.Table.Rows);
        Assert.NotEmpty(first.Plots);
        Assert.All(first.Plots, plot => Assert.Contains(plot.Series, series => series.Role == SeriesRole.Measured));
        Assert.Equal(Numbers(first), Numbers(second));
        AssertWrites(first);
    }

    [Theory]
    [InlineData("fig5a")]
    [InlineData("fig5c")]
    public void Another_seed_gives_other_numbers(string name) =>
        Assert.NotEqual(Numbers(Run(name, 1)), Numbers(Run(name, 2)));

    [Fact]
    public void Names_are_unique_and_can_be_names_of_files()
    {
        Assert.Equal(FigureCatalog.All.Count, FigureCatalog.All.Select(figure => figure.Name).Distinct().Count());
        Assert.All(FigureCatalog.All, figure => Assert.Matches("^[a-z][a-z0-9-]*$", figure.Name));
    }

    // As camcube experiment leaves them.
    private static void AssertWrites(FigureResult result)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("camcube-figures-");
        try
        {
            FigureFiles.Write(result, folder.FullName);
            FileInfo[] files = folder.GetFiles();
            Assert.Equal(
                (string[])[$"{result.Figure}.csv", $"{result.Figure}.json", $"{result.Figure}.svg"],
                files.Select(static file => file.Name).Order(StringComparer.Ordinal)
            );
            Assert.All(files, static file => Assert.True(file.Length > 0, file.Name));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static FigureResult Run(string name, ulong seed)
    {
        var options = new FigureOptions { Scale = FigureScale.Smoke, Seed = seed };
        FigureResult result = FigureResult.Of(FigureCatalog.All.Single(figure => figure.Name == name), options);
        Assert.False(result.Partial);
        return result;
    }

    private static string Numbers(FigureResult result) => FigureFiles.ToLine([result with { CpuSeconds = 0 }]);
}
