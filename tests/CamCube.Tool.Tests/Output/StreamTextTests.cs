using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Tests.Output;

public sealed class StreamTextTests
{
    [Fact]
    public void Paths_are_a_table_and_all_streams_a_line_or_two()
    {
        var output = new StringWriter { NewLine = "\n" };
        var answer = new StreamAnswer(
            "0,0,0",
            "1,0,0",
            3_000_000,
            0.5,
            48e6,
            "PeerLost",
            [
                new StreamPathAnswer("+x", 3_012_345, 12, 3, 17.25, 123.45),
                new StreamPathAnswer("routed", 9, 0, 0, 4, 0),
            ],
            [new SentStreamAnswer(1_000_000, 0.5, "Finished"), new SentStreamAnswer(2_000_000, 0.25, "PeerLost")]
        );
        StreamText.Show(new Report(output, 120), answer);
        string[] lines = output.ToString().Split('\n');
        Assert.Equal("from 0,0,0 to 1,0,0", lines[0]);
        Assert.Contains(lines, line => Squeezed(line) == "| link | bytes | lost | marked | window | round trip us |");
        Assert.Contains(lines, line => Squeezed(line) == "| +x | 3,012,345 | 12 | 3 | 17.2 | 123.5 |");
        Assert.Contains(lines, line => Squeezed(line) == "| routed | 9 | 0 | 0 | 4.0 | 0.0 |");
        Assert.Equal(
            [
                "2 streams, 3,000,000 bytes in 0.500 s: 48.00 Mbit/s; PeerLost",
                "each: least 16.00 Mbit/s, mean 40.00 Mbit/s, most 64.00 Mbit/s",
                "",
            ],
            lines[^3..]
        );
    }

    [Theory]
    [InlineData(0, 0, null, "0 B in 0.0 s: 0.00 kbit/s")]
    [InlineData(1_234_567, 0.25, null, "1.23 MB in 0.2 s: 39.51 Mbit/s")]
    [InlineData(999_999_999_999, 8, 1_000_000_000_000, "1000 GB of 1 TB in 8.0 s: 1000.00 Gbit/s")]
    public void Progress_is_a_line(long bytes, double seconds, long? all, string line) =>
        Assert.Equal(
            line,
            StreamProgress.Of(new StreamProgressAnswer(bytes, seconds), all is { } size ? new ByteCount(size) : null)
        );

    [Fact]
    public void Progress_is_silent_where_nobody_looks()
    {
        var error = new StringWriter();
        var progress = new StreamProgress(error);
        progress.Report(new StreamProgressAnswer(1, 1), null);
        progress.End();
        Assert.Equal((false, ""), (progress.IsShown, error.ToString()));
    }

    [Theory]
    [InlineData("1", 1)]
    [InlineData("4096B", 4_096)]
    [InlineData("100MB", 100_000_000)]
    [InlineData("100mb", 100_000_000)]
    [InlineData("1.5GiB", 1_610_612_736)]
    [InlineData("2kB", 2_000)]
    [InlineData("3KiB", 3_072)]
    [InlineData("100TB", 100_000_000_000_000)]
    public void Sizes_are_read_with_their_units(string text, long bytes)
    {
        Assert.True(ByteCount.TryParse(text, out ByteCount count));
        Assert.Equal(bytes, count.Bytes);
    }

    [Theory]
    [InlineData("")]
    [InlineData("0")]
    [InlineData("-1")]
    [InlineData("1e30")]
    [InlineData("0.4MBit")]
    [InlineData("0.4")]
    [InlineData("101TB")]
    [InlineData("99999999999999999999999999999999")]
    [InlineData("NaN")]
    [InlineData("MB")]
    [InlineData("1 2MB")]
    public void What_is_no_size_is_refused(string text) => Assert.False(ByteCount.TryParse(text, out _));

    private static string Squeezed(string line) =>
        string.Join(' ', line.Split(' ', StringSplitOptions.RemoveEmptyEntries));
}
