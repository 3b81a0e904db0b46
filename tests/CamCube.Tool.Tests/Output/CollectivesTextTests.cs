using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Tests.Output;

public sealed class CollectivesTextTests
{
    [Fact]
    public void A_measurement_is_a_table_and_a_line()
    {
        var output = new StringWriter { NewLine = "\n" };
        var bench = new BenchAnswer(
            "1",
            "done",
            null,
            "allreduce",
            "float32",
            "sum",
            27,
            5,
            [
                new BenchSizeAnswer(4_096, 1_024, 0.0001, 40.96e6, 78.88e6, 0),
                new BenchSizeAnswer(8_192, 2_048, 0.0001, 81.92e6, 157.76e6, 3),
            ]
        );
        CollectivesText.Show(new Report(output, 120), bench);
        string[] lines = [.. output.ToString().Split('\n').Select(Squeezed)];
        Assert.Contains("| 4,096 | 1,024 | float32 | sum | 100.0 | 41.0 | 78.9 | 0 |", lines);
        Assert.Contains("| 8,192 | 2,048 | float32 | sum | 100.0 | 81.9 | 157.8 | 3 |", lines);
        Assert.Equal("allreduce of 27 members, 5 rounds of each size; mean busbw 118.3 MB/s; 3 wrong", lines[^2]);
        Assert.Equal("allreduce of 27 members: beyond 8.0 KiB", CollectivesText.Line(bench));
    }

    [Fact]
    public void Groups_are_a_table_that_says_why_one_has_ended()
    {
        var output = new StringWriter { NewLine = "\n" };
        CollectivesText.Show(
            new Report(output, 200),
            [
                (
                    "0,0,0",
                    new CollectiveGroupAnswer("training/1", 27, 3, 1_000, 2, 5_000_000, "memberLost", "1,1,1 is lost")
                ),
            ]
        );
        string[] lines = [.. output.ToString().Split('\n').Select(Squeezed)];
        Assert.Contains("| 0,0,0 | training/1 | 27 | 3 | 1,000 | 2 | 5,000,000 | memberLost | 1,1,1 is lost |", lines);
    }

    [Theory]
    [InlineData("4KiB..64MiB", 4_096, 67_108_864)]
    [InlineData("100", 100, 100)]
    [InlineData("5..5", 5, 5)]
    public void Bytes_from_one_number_to_another(string text, int least, int most)
    {
        Assert.True(ByteRange.TryParse(text, out ByteRange range));
        Assert.Equal((least, most), (range.Least.Bytes, range.Most.Bytes));
    }

    [Theory]
    [InlineData("")]
    [InlineData("..")]
    [InlineData("4..")]
    [InlineData("..4")]
    [InlineData("8..4")]
    [InlineData("1..2..3")]
    [InlineData("0..4")]
    [InlineData("1..3GiB")]
    public void And_what_is_none(string text) => Assert.False(ByteRange.TryParse(text, out _));

    private static string Squeezed(string line) =>
        string.Join(' ', line.Split(' ', StringSplitOptions.RemoveEmptyEntries));
}
