using System.Text;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Tasks;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tests.Tasks;

/// <summary>Files of all kinds of lines, cut anywhere: each line once.</summary>
public sealed class SplitReaderTests
{
    [Theory]
    [InlineData("\n")]
    [InlineData("\r\n")]
    [InlineData("\r")]
    [InlineData("")]
    public async Task Each_line_is_in_one_part(string end)
    {
        for (int seed = 0; seed < 300; seed++)
        {
            var random = new Random(seed);
            string[] lines = [.. Enumerable.Range(0, random.Next(30)).Select(_ => LineOf(random))];
            string[] ends = ["\n", "\r\n", "\r"];
            var text = new StringBuilder();
            for (int i = 0; i < lines.Length; i++)
            {
                bool isLast = i == lines.Length - 1;
                string one = end.Length > 0 ? end : ends[random.Next(3)];
                text.Append(lines[i]).Append(isLast && lines[i].Length > 0 && random.Next(2) == 0 ? "" : one);
            }

            List<string> given = await ReadAsync(text.ToString(), random, endsAtLineFeedOnly: false);
            if (end.Length > 0)
            {
                Assert.Equal(lines, given);
            }
            else
            {
                // CR before an empty line that ends at LF is one end, and not two.
                string all = text.ToString().Replace("\r\n", "\n", StringComparison.Ordinal).Replace('\r', '\n');
                string[] expected =
                    all.Length == 0 ? []
                    : all.TrimEnd('\n').Length == 0 && all.Length > 0 ? [.. Enumerable.Repeat("", all.Length)]
                    : (all.EndsWith('\n') ? all[..^1] : all).Split('\n');
                Assert.Equal(expected, given);
            }
        }
    }

    [Fact]
    public async Task With_LF_only_a_CR_is_a_byte_as_any()
    {
        for (int seed = 0; seed < 200; seed++)
        {
            var random = new Random(seed);
            string[] lines = [.. Enumerable.Range(0, random.Next(1, 30)).Select(_ => LineOf(random) + "\r")];
            string text = string.Concat(lines.Select(static line => line + "\n"));
            Assert.Equal(lines, await ReadAsync(text, random, endsAtLineFeedOnly: true));
        }
    }

    private static string LineOf(Random random) => new((char)('a' + random.Next(26)), random.Next(5) * random.Next(12));

    private static async Task<List<string>> ReadAsync(string text, Random random, bool endsAtLineFeedOnly)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        var files = new PieceFiles(bytes, random);
        var all = new StringBuilder();
        for (int at = 0; at < bytes.Length; )
        {
            int length = Math.Min(bytes.Length - at, random.Next(1, random.Next(2, 100)));
            var split = new Split("/f", at, length, 0, "");
            using SplitReader reader = await SplitReader.OpenAsync(files, split, endsAtLineFeedOnly);
            while (await reader.ReadAsync() is { Bytes: { IsEmpty: false } part, Status: FileStatus.Done })
            {
                all.Append(Encoding.UTF8.GetString(part.Span));
            }

            at += length;
        }

        string given = all.ToString();
        Assert.True(given.Length == 0 || given.EndsWith('\n'), "a last line without an end");
        return given.Length == 0 ? [] : [.. given[..^1].Split('\n')];
    }
}
