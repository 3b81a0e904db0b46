using System.Text;
using CamCube.Services.Camdoop.Inputs;
using CamCube.Services.Camdoop.Lines;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tests.Inputs;

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

    [Theory]
    [InlineData("|")]
    [InlineData("ab")]
    [InlineData("\r\n\n")]
    [InlineData("aab")]
    [InlineData("<end>")]
    public async Task Each_record_with_an_end_of_its_own_is_in_one_part_with_its_place(string own)
    {
        for (int seed = 0; seed < 300; seed++)
        {
            var random = new Random(seed);
            var text = new StringBuilder();
            for (int i = random.Next(40); i > 0; i--)
            {
                // Parts of ends, and bytes of others, come often.
                text.Append(random.Next(3) == 0 ? own : own[..random.Next(own.Length)])
                    .Append(((string[])["a", "b", "\n", "\r", "x"])[random.Next(5)]);
            }

            string all = text.ToString();
            List<string> expected = [];
            int offset = 0;
            foreach (string one in all.Split(own))
            {
                expected.Add($"{offset}:{one}");
                offset += one.Length + own.Length;
            }

            if (all.Length == 0 || all.EndsWith(own, StringComparison.Ordinal))
            {
                expected.RemoveAt(expected.Count - 1);
            }

            var end = RecordEnd.Of(new JobText { RecordDelimiter = own });
            Assert.False(end.OverlapsItself);
            Assert.Equal(expected, await ReadWithPlacesAsync(all, random, end));
        }
    }

    [Fact]
    public async Task Places_of_lines_count_all_bytes_of_their_ends()
    {
        for (int seed = 0; seed < 300; seed++)
        {
            var random = new Random(seed);
            var text = new StringBuilder();
            List<string> expected = [];
            for (int i = random.Next(30); i > 0; i--)
            {
                string line = "x" + LineOf(random);
                expected.Add($"{text.Length}:{line}");
                text.Append(line).Append(((string[])["\n", "\r\n", "\r"])[random.Next(3)]);
            }

            Assert.Equal(expected, await ReadWithPlacesAsync(text.ToString(), random, RecordEnd.Of(new JobText())));
        }
    }

    [Theory]
    [InlineData("\n\n", true)]
    [InlineData("aba", true)]
    [InlineData("abcab", true)]
    [InlineData("ab", false)]
    [InlineData("\r\n", false)]
    public void Ends_that_overlap_are_seen(string own, bool overlaps) =>
        Assert.Equal(overlaps, RecordEnd.Of(new JobText { RecordDelimiter = own }).OverlapsItself);

    [Fact]
    public void Files_are_cut_by_numbers_of_records()
    {
        for (int seed = 0; seed < 500; seed++)
        {
            var random = new Random(seed);
            string[] ends = random.Next(2) == 0 ? ["\n", "\r\n", "\r"] : ["\n"];
            List<string> records = [];
            for (int i = random.Next(30); i > 0; i--)
            {
                records.Add("x" + LineOf(random) + ends[random.Next(ends.Length)]);
            }

            if (records.Count > 0 && random.Next(2) == 0)
            {
                records[^1] = "y";
            }

            int count = random.Next(1, random.Next(2, 12));
            string all = string.Concat(records);
            byte[] bytes = Encoding.UTF8.GetBytes(all);
            var cutter = new NumberCutter(RecordEnd.Of(new JobText { EndsAtLineFeedOnly = ends.Length == 1 }), count);
            List<string> given = [];
            for (int at = 0; at < bytes.Length; )
            {
                int length = Math.Min(bytes.Length - at, random.Next(1, 20));
                cutter.Add(bytes.AsSpan(at, length));
                at += length;
                given.AddRange(cutter.Take().Select(part => all.Substring((int)part.Offset, (int)part.Length)));
            }

            cutter.Complete();
            given.AddRange(cutter.Take().Select(part => all.Substring((int)part.Offset, (int)part.Length)));
            Assert.Equal(records.Chunk(count).Select(static part => string.Concat(part)), given);
        }
    }

    private static async Task<List<string>> ReadWithPlacesAsync(string text, Random random, RecordEnd end)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        var files = new PieceFiles(bytes, random);
        List<string> all = [];
        for (int at = 0; at < bytes.Length; )
        {
            int length = Math.Min(bytes.Length - at, random.Next(1, random.Next(2, 100)));
            var split = new Split("/f", at, length, 0, "");
            using SplitReader reader = await SplitReader.OpenAsync(server: null!, files, split, end, keepsEnds: true);
            LineCutter cutter = null!;
            cutter = new LineCutter(1_000, line => all.Add($"{cutter.Begin}:{Encoding.UTF8.GetString(line)}"), end);
            bool isFirst = true;
            while (await reader.ReadAsync() is { Bytes: { IsEmpty: false } part, Status: FileStatus.Done })
            {
                cutter.Begin = isFirst ? reader.Offset : cutter.Begin;
                isFirst = false;
                cutter.Add(part.Span);
            }

            cutter.Complete();
            at += length;
        }

        return all;
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
            var end = RecordEnd.Of(new JobText { EndsAtLineFeedOnly = endsAtLineFeedOnly });
            using SplitReader reader = await SplitReader.OpenAsync(server: null!, files, split, end);
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
