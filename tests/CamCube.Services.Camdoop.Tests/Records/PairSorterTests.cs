using System.Text;
using CamCube.Services.Camdoop.Functions;
using CamCube.Services.Camdoop.Records;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Tests.Records;

/// <summary>Pairs of all lengths become runs: each once, in order, and the same each time.</summary>
public sealed class PairSorterTests
{
    [Theory]
    [InlineData(1, 1, 1 << 20)]
    [InlineData(7, 6, 300)]
    [InlineData(3, 6, 10_000)]
    [InlineData(512, 6, 5_000)]
    public void Runs_have_each_pair_once_sorted_by_group_and_key_and_stable(int reduces, int trees, int sortBytes)
    {
        var groups = new PairGroups(reduces, trees);
        List<(byte[] Key, byte[] Value)> pairs = Draw(1, 4_000);
        List<SortedRun> runs = RunsOf(groups, sortBytes, pairs),
            again = RunsOf(groups, sortBytes, pairs);
        Assert.Equal(runs.Count, again.Count);
        List<string> given = [];
        for (int i = 0; i < runs.Count; i++)
        {
            Assert.Equal(runs[i].Bytes.ToArray(), again[i].Bytes.ToArray());
            Assert.True(runs.Count == 1 || runs[i].Bytes.Length <= Math.Max(sortBytes, 12_100));
            given.AddRange(Read(runs[i], groups));
        }

        Assert.Equal(pairs.Select(Text).Order(StringComparer.Ordinal), given.Order(StringComparer.Ordinal));
    }

    // What is kept of each counts: a million of two bytes would have had eight times what was claimed.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Of_tiny_pairs_fewer_are_sorted_at_once(bool combines)
    {
        const int SortBytes = 64 << 10;
        var groups = new PairGroups(2, 6);
        IPairCombiner? combiner = combines ? AggregateCombiner.Instance : null;
        using var sorter = new PairSorter(groups, new SortLimits(SortBytes, 1_000), combiner);
        for (int i = 0; i < 50_000; i++)
        {
            byte[] key = BitConverter.GetBytes(i + 1);
            sorter.Add(key, key, key);
        }

        sorter.Complete();
        int most = SortBytes / (combines ? PairEntry.Bytes + KeyTable.BytesPerKey : PairEntry.Bytes),
            runs = 0;
        while (sorter.Take() is { } run)
        {
            int pairs = Read(run, groups).Count;
            Assert.InRange(pairs, 1, most);
            runs++;
        }

        Assert.InRange(runs, 50_000 / most, 100_000 / most);
        Assert.Equal(50_000, sorter.Pairs);
    }

    [Fact]
    public void A_pair_that_is_too_long_is_said()
    {
        using var sorter = new PairSorter(new PairGroups(1, 1), new SortLimits(1_000, 100), null);
        sorter.Add(new byte[60], new byte[20], default);
        Assert.Null(sorter.Wrong);
        sorter.Add(new byte[60], new byte[60], default);
        Assert.Contains("a key of 60 bytes and a value of 60", sorter.Wrong, StringComparison.Ordinal);
    }

    private static List<SortedRun> RunsOf(PairGroups groups, int sortBytes, List<(byte[] Key, byte[] Value)> pairs)
    {
        using var sorter = new PairSorter(groups, new SortLimits(sortBytes, 20_000), null);
        List<SortedRun> runs = [];
        foreach ((byte[] key, byte[] value) in pairs)
        {
            sorter.Add(key, value, key);
        }

        sorter.Complete();
        while (sorter.Take() is { } run)
        {
            runs.Add(run);
        }

        Assert.Equal((pairs.Count, (string?)null), ((int)sorter.Pairs, sorter.Wrong));
        return runs;
    }

    // Values say when they were added, so that of equal keys the order is seen.
    private static List<string> Read(SortedRun run, PairGroups groups)
    {
        List<string> given = [];
        int before = -1;
        foreach (RunGroup group in run.Groups)
        {
            Assert.True(group.Group > before && group.Group < groups.Count);
            before = group.Group;
            ReadOnlySpan<byte> rest = run.Bytes.Span[run.RangeOf(group.Group)];
            byte[] last = [];
            int lastNumber = -1;
            Assert.False(rest.IsEmpty);
            while (!rest.IsEmpty)
            {
                Assert.True(RecordFormat.ReadHead(rest, out int keyAt, out int keyLength, out int valueLength) > 0);
                ReadOnlySpan<byte> form = rest.Slice(keyAt, keyLength);
                int order = form.SequenceCompareTo(last);
                Assert.True(order >= 0);
                Assert.True(
                    KeyForm.TryRead(
                        form,
                        rest.Slice(keyAt + keyLength, valueLength),
                        out ReadOnlySpan<byte> key,
                        out ReadOnlySpan<byte> value
                    )
                );
                int number = BitConverter.ToInt32(value);
                Assert.True(order > 0 || number > lastNumber);
                Assert.Equal(group.Group, groups.Of(key, key));
                (last, lastNumber) = (form.ToArray(), number);
                given.Add(Text((key.ToArray(), value.ToArray())));
                rest = rest[(keyAt + keyLength + valueLength)..];
            }
        }

        return given;
    }

    private static List<(byte[] Key, byte[] Value)> Draw(int seed, int count)
    {
        var random = new Random(seed);
        List<(byte[] Key, byte[] Value)> pairs = [];
        for (int i = 0; i < count; i++)
        {
            byte[] key =
                random.Next(100) == 0 ? new byte[random.Next(6_000)]
                : random.Next(2) == 0 ? Encoding.UTF8.GetBytes($"k{random.Next(50)}")
                : new byte[random.Next(12)];
            if (random.Next(3) == 0)
            {
                random.NextBytes(key);
            }

            byte[] value = [.. BitConverter.GetBytes(i), .. new byte[random.Next(10) == 0 ? random.Next(2_000) : 3]];
            pairs.Add((key, value));
        }

        return pairs;
    }

    private static string Text((byte[] Key, byte[] Value) pair) =>
        $"{Convert.ToHexString(pair.Key)}:{Convert.ToHexString(pair.Value)}";
}
