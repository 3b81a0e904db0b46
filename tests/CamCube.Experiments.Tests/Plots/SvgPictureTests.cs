using System.Globalization;
using System.Xml.Linq;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Tests.Figures;

namespace CamCube.Experiments.Tests.Plots;

public sealed class SvgPictureTests
{
    private static readonly XNamespace Svg = "http://www.w3.org/2000/svg";

    [Fact]
    public void A_picture_shows_every_point_with_its_values_axes_units_and_legend()
    {
        XDocument picture = Draw(Sample());

        string[] texts = [.. picture.Descendants(Svg + "text").Select(text => text.Value)];
        Assert.Contains("A <figure> & its \"checks\"", texts);
        Assert.Contains("servers", texts);
        Assert.Contains("rate [Gbit/s]", texts);
        Assert.Contains("from here", texts);
        Assert.Contains("paper", texts);
        string[] tips = [.. picture.Descendants(Svg + "path").Elements(Svg + "title").Select(title => title.Value)];
        Assert.Equal(
            [
                "from here: 27: 2.7 Gbit/s",
                "from here: 512: 1 Gbit/s",
                "from here: 4,096: 0.5 Gbit/s",
                "paper: 512: 0.9 Gbit/s",
            ],
            tips
        );
    }

    [Fact]
    public void Everything_lies_within_the_picture_and_marks_go_up_with_values()
    {
        XDocument picture = Draw(Sample());
        double width = Number(picture.Root!, "width"),
            height = Number(picture.Root!, "height");
        foreach (XElement element in picture.Descendants())
        {
            foreach (string name in new[] { "x", "x1", "x2" }.Where(name => element.Attribute(name) is not null))
            {
                Assert.InRange(Number(element, name), 0, width);
            }

            foreach (string name in new[] { "y", "y1", "y2" }.Where(name => element.Attribute(name) is not null))
            {
                Assert.InRange(Number(element, name), 0, height);
            }
        }

        double[] heights =
        [
            .. picture
                .Descendants(Svg + "path")
                .Where(path => path.Element(Svg + "title")?.Value.StartsWith("from", StringComparison.Ordinal) == true)
                .Select(path => Number(path.Attribute("d")!.Value.Split(' ')[1].Split('a')[0])),
        ];
        Assert.Equal(heights.Order(), heights);
    }

    [Fact]
    public void A_picture_needs_nothing_but_itself()
    {
        string text = SvgPicture.Of(Sample());
        Assert.DoesNotContain("href", text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("url(", text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("script", text, StringComparison.OrdinalIgnoreCase);
        Assert.Single(text.Split("http"), part => part.StartsWith("://", StringComparison.Ordinal));
        Assert.DoesNotContain("NaN", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(SeriesKind.Line)]
    [InlineData(SeriesKind.Steps)]
    [InlineData(SeriesKind.Bars)]
    public void No_point_one_point_and_equal_points_can_be_drawn(SeriesKind kind)
    {
        for (int points = 0; points < 3; points++)
        {
            var plot = new Plot("", new PlotAxis("x"), new PlotAxis("y"));
            Series series = plot.Add("flat", kind);
            for (int i = 0; i < points; i++)
            {
                series.Add(3, 0);
            }

            Assert.DoesNotContain("NaN", SvgPicture.Of(Result(plot)), StringComparison.Ordinal);
            Draw(Result(plot));
        }
    }

    [Theory]
    [InlineData(0, 2.89, 6, "0 0.5 1 1.5 2 2.5")]
    [InlineData(0, 30, 6, "0 5 10 15 20 25 30")]
    [InlineData(-1, 1, 6, "-1 -0.5 0 0.5 1")]
    [InlineData(9_990, 10_010, 4, "9990 9995 10,000 10,005 10,010")]
    public void Ticks_are_round(double least, double most, int parts, string ticks) =>
        Assert.Equal(ticks.Split(' '), Ticks.Linear(least, most, Ticks.Step(most - least, parts)).Select(Ticks.Text));

    private static FigureResult Sample()
    {
        var plot = new Plot(
            "",
            new PlotAxis("servers") { IsLogarithmic = true },
            new PlotAxis("rate", "Gbit/s") { Least = 0 }
        );
        Series measured = plot.Add("from here", SeriesKind.LineWithMarks);
        measured.Add(27, 2.7);
        measured.Add(512, 1, 0.8, 1.2);
        measured.Add(4_096, 0.5);
        plot.Add("paper", SeriesKind.Marks, SeriesRole.Paper).Add(512, 0.9);
        return Result(plot);
    }

    private static FigureResult Result(Plot plot) =>
        FigureResult.Of(new FakeFigure(), new FigureOptions()) with
        {
            Plots = [plot],
        };

    private static XDocument Draw(FigureResult result) => XDocument.Parse(SvgPicture.Of(result));

    private static double Number(XElement element, string name) => Number(element.Attribute(name)!.Value);

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
