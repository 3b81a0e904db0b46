using System.Text;
using CamCube.Services.Camdoop.Records;
using CamCube.Services.Camdoop.Sketches;
using CamCube.Services.Camdoop.Tracking;

namespace CamCube.Services.Camdoop.Tests.Sketches;

/// <summary>What is said of heavy keys is within what is said of its error, whatever the pairs and however they are
/// cut and merged.</summary>
public sealed class KeySketchTests
{
    // Keys by one over their number; all alike; each once; some few and a crowd of others that come later and later.
    private static IEnumerable<string> Keys(string kind, int seed)
    {
        var random = new Random(seed);
        return Enumerable
            .Range(0, 60_000)
            .Select(i =>
                kind switch
                {
                    "zipf" => $"k{(int)Math.Exp(random.NextDouble() * 9)}",
                    "even" => $"k{random.Next(2_000)}",
                    "once" => $"k{i}",
                    "one" => "k",
                    _ => random.Next(3) == 0 ? $"k{random.Next(5)}" : $"k{i / 7}",
                }
            );
    }

    private static SketchRecord Sketch(IEnumerable<string> keys, int sortBytes)
    {
        var counter = new KeyCounter(
            static (key, value) => KeyForm.TryRead(key, value, out ReadOnlySpan<byte> given, out _) ? given : key
        );
        using var sorter = new PairSorter(new PairGroups(3, 2), new SortLimits(sortBytes, 20_000), null, counter);
        foreach (string key in keys)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(key);
            sorter.Add(bytes, "1"u8, bytes);
            _ = sorter.Take();
        }

        sorter.Complete();
        return counter.ToRecord();
    }

    [Theory]
    [InlineData("zipf", 1 << 20)]
    [InlineData("zipf", 3_000)]
    [InlineData("even", 20_000)]
    [InlineData("once", 20_000)]
    [InlineData("one", 3_000)]
    [InlineData("late", 7_000)]
    [InlineData("late", 1 << 20)]
    public void Counts_are_within_their_error(string kind, int sortBytes)
    {
        Dictionary<string, int> real = [];
        var all = new KeySketch();
        for (int task = 0; task < 4; task++)
        {
            string[] keys = [.. Keys(kind, task)];
            foreach ((string key, int count) in keys.CountBy(static k => k))
            {
                real[key] = real.GetValueOrDefault(key) + count;
            }

            SketchRecord one = Sketch(keys, sortBytes);
            Assert.Equal(one.Keys.Select(Text), Sketch(keys, sortBytes).Keys.Select(Text));
            all.Add(one);
        }

        Assert.Equal(240_000, all.Pairs);
        Assert.True(all.Error <= all.Pairs / 129, $"{all.Error}");
        Assert.True(all.Keys.Count <= KeySketch.Most);
        Dictionary<string, long> said = all.Keys.ToDictionary(
            static k => Encoding.UTF8.GetString(k.Start),
            static k => k.Pairs
        );
        foreach ((string key, int count) in real)
        {
            Assert.InRange(said.GetValueOrDefault(key), count - all.Error, count);
        }
    }

    [Fact]
    public void Long_keys_are_told_apart_by_all_of_them_and_kept_by_their_beginning()
    {
        string[] keys =
        [
            .. Enumerable.Range(0, 500).SelectMany(i => Enumerable.Repeat($"{new string('x', 4_000)}{i % 5}", 3)),
        ];
        SketchRecord sketch = Sketch(keys, 200_000);
        Assert.Equal((1_500, 0, 5), (sketch.Pairs, sketch.Error, sketch.Keys.Count));
        Assert.All(
            sketch.Keys,
            static key => Assert.Equal((300, 4_001, 64), (key.Pairs, key.Length, key.Start.Length))
        );
    }

    [Theory]
    [InlineData(new byte[] { }, "")]
    [InlineData(new byte[] { 0x61, 0, 0xff, 0xc3, 0xa4, 0x5c }, "a\\x00\\xffä\\\\")]
    [InlineData(new byte[] { 0xe2, 0x80, 0xae, 0x1b, 0xc3 }, "\\xe2\\x80\\xae\\x1b\\xc3")]
    public void Keys_are_shown_as_text_that_does_nothing(byte[] key, string text) =>
        Assert.Equal(text, KeyText.Of(key));

    private static string Text(SketchKey key) => $"{key.Hash} {key.Pairs} {key.Length}";
}
