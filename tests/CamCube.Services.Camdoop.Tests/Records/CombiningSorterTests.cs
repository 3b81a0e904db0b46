using System.Text;
using CamCube.Services.Camdoop.Records;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Tests.Records;

/// <summary>Pairs of one key become one as they come, whatever the combiner makes of their lengths.</summary>
public sealed class CombiningSorterTests
{
    [Theory]
    [InlineData(1, 3, 1 << 20)]
    [InlineData(2, 50, 1 << 20)]
    [InlineData(3, 3_000, 1 << 20)]
    [InlineData(4, 20_000, 1 << 20)]
    [InlineData(5, 50, 3_000)]
    [InlineData(6, 20_000, 60_000)]
    public void Each_key_of_a_run_has_one_pair_that_is_of_all_its_values_in_their_order(
        int seed,
        int keys,
        int sortBytes
    )
    {
        var random = new Random(seed);
        var groups = new PairGroups(7, 6);
        using var sorter = new PairSorter(groups, new SortLimits(sortBytes, 20_000), new Joiner());
        Dictionary<string, StringBuilder> expected = [];
        List<SortedRun> runs = [];
        for (int i = 0; i < 30_000; i++)
        {
            // Some keys are longer than may travel, and differ at their ends only.
            string name = $"{random.Next(keys)}";
            string key = name.EndsWith('7') ? new string('k', 5_000) + name : name;
            string value = random.Next(4) == 0 ? "" : $"{(char)('a' + random.Next(26))}{i % 10}";
            if (value.Length == 0 && random.Next(keys) > 2)
            {
                continue;
            }

            byte[] bytes = Encoding.UTF8.GetBytes(key);
            sorter.Add(bytes, Encoding.UTF8.GetBytes(value), bytes);
            if (!expected.TryGetValue(key, out StringBuilder? all))
            {
                expected.Add(key, all = new StringBuilder());
            }

            all.Append(value);
        }

        sorter.Complete();
        Assert.Null(sorter.Wrong);
        while (sorter.Take() is { } run)
        {
            runs.Add(run);
        }

        // What several runs have of a key is behind each other.
        Dictionary<string, StringBuilder> given = [];
        long pairs = 0;
        foreach (SortedRun run in runs)
        {
            HashSet<string> inRun = [];
            foreach (RunGroup group in run.Groups)
            {
                ReadOnlySpan<byte> rest = run.Bytes.Span[run.RangeOf(group.Group)];
                byte[] last = [];
                while (!rest.IsEmpty)
                {
                    Assert.True(RecordFormat.ReadHead(rest, out int at, out int keyLength, out int length) > 0);
                    ReadOnlySpan<byte> form = rest.Slice(at, keyLength);
                    Assert.True(form.SequenceCompareTo(last) > 0);
                    last = form.ToArray();
                    ReadOnlySpan<byte> packed = rest.Slice(at + keyLength, length);
                    Assert.True(
                        KeyForm.TryRead(form, packed, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
                    );
                    Assert.Equal(group.Group, groups.Of(key, key));
                    string name = Encoding.UTF8.GetString(key);
                    Assert.True(inRun.Add(name));
                    if (!given.TryGetValue(name, out StringBuilder? all))
                    {
                        given.Add(name, all = new StringBuilder());
                    }

                    all.Append(Encoding.UTF8.GetString(value));
                    rest = rest[(at + keyLength + length)..];
                    pairs++;
                }
            }
        }

        Assert.Equal(sorter.SortedPairs, pairs);
        Assert.Equal(expected.Count, given.Count);
        Assert.All(
            expected,
            one => Assert.Equal(Joiner.Shorten(one.Value.ToString()), Joiner.Shorten(given[one.Key].ToString()))
        );
    }

    [Fact]
    public void A_result_without_room_is_said()
    {
        using var sorter = new PairSorter(new PairGroups(1, 1), new SortLimits(10_000, 100), new TooLong());
        sorter.Add("a"u8, "1"u8, default);
        Assert.Null(sorter.Wrong);
        sorter.Add("a"u8, "1"u8, default);
        Assert.Contains("no room in a pair", sorter.Wrong, StringComparison.Ordinal);
    }

    // Joins, and is short again once it is long: what it gives grows and shrinks. To join what is shortened is to
    // shorten what is joined.
    private sealed class Joiner : IPairCombiner
    {
        private const int Most = 700;

        public static string Shorten(string text) => text.Length % Most is var rest ? text[^rest..] : text;

        public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
        {
            int prefix = key.Length == KeyForm.LongKey ? KeyForm.PrefixOf(left) : 0;
            left[..prefix].CopyTo(result);
            byte[] all = [.. left[prefix..], .. right[prefix..]];
            byte[] rest = all[^(all.Length % Most)..];
            rest.CopyTo(result[prefix..]);
            return prefix + rest.Length;
        }
    }

    private sealed class TooLong : IPairCombiner
    {
        public int Combine(
            ReadOnlySpan<byte> key,
            ReadOnlySpan<byte> left,
            ReadOnlySpan<byte> right,
            Span<byte> result
        ) => result.Length + 1;
    }
}
