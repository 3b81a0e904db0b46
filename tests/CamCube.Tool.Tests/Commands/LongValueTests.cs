using CamCube.Tool.Hosts;
using CamCube.Tool.Output;

namespace CamCube.Tool.Tests.Commands;

/// <summary>Long values on their way.</summary>
public sealed class LongValueTests
{
    [Fact]
    public async Task Bytes_that_move_are_told_and_keep_the_request_from_its_end()
    {
        List<long> told = [];
        var moving = new MovingBytes(told.Add);
        using var limit = new CancellationTokenSource();
        moving.Begin(limit, TimeSpan.FromMinutes(1));
        byte[] value = new byte[300_000];
        new Random(1).NextBytes(value);
        var to = new MemoryStream();
        using (var content = new MovingContent(new MemoryStream(value), moving))
        {
            Assert.Equal(300_000, content.Headers.ContentLength);
            await content.CopyToAsync(to, TestContext.Current.CancellationToken);
        }

        Assert.Equal(value, to.ToArray());
        Assert.Equal(300_000, told[^1]);
        Assert.True(told.Count > 2);
        Assert.False(limit.IsCancellationRequested);
    }

    [Fact]
    public void How_far_it_is_fits_on_a_line_and_only_a_terminal_is_shown_it()
    {
        string line = ByteProgress.Of(50L << 20, 2);
        Assert.StartsWith("52.43 MB in 2.0 s: ", line, StringComparison.Ordinal);
        Assert.InRange(line.Length, 1, 60);
        var error = new StringWriter();
        using (var progress = new ByteProgress(error))
        {
            progress.Show(1);
        }

        Assert.Equal("", error.ToString());
    }
}
