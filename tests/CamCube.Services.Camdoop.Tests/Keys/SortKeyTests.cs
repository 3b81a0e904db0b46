using System.Diagnostics;
using System.Globalization;
using System.Text;
using SortKey = CamCube.Services.Camdoop.Keys.SortKey;

namespace CamCube.Services.Camdoop.Tests.Keys;

public sealed class SortKeyTests
{
    private static readonly string[] Options =
    [
        "-k1",
        "-k1,1",
        "-k2,2",
        "-r",
        "-n",
        "-nr",
        "-k1,1 -k2,2nr",
        "-k2,2n -k1,1r",
        "-k1,1n -k2,2n -k3,3r",
        "-k2r",
        "-k1.2,1.3 -k2.2n",
        "-k1.3,3.1",
        "-k3,3nr -k2,2 -k1,1r",
        "-k2,1 -k1,1",
        "-k1.9,1n -k1",
        "-k1,1 -k1,1r -k2",
    ];

    [Theory]
    [InlineData(1, "\t")]
    [InlineData(2, ".")]
    [InlineData(3, "::")]
    [InlineData(4, "\0")]
    public void Strings_are_in_the_order_of_the_comparator(int seed, string separator)
    {
        var random = new Random(seed);
        foreach (string options in Options)
        {
            IReadOnlyList<KeyFields> fields = Fields(options);
            var sort = new SortKey(fields, ComparedKeys.Bytes(separator));
            string[] keys = [.. Enumerable.Range(0, 150).Select(_ => Draw(random, separator)), "", separator];
            byte[][] strings = [.. keys.Select(key => Make(sort, key))];
            for (int i = 0; i < keys.Length; i++)
            {
                for (int j = 0; j < keys.Length; j++)
                {
                    int expected = Math.Sign(ComparedKeys.Compare(keys[i], keys[j], fields, separator)),
                        order = Math.Sign(strings[i].AsSpan().SequenceCompareTo(strings[j]));
                    Assert.True(expected == order, $"{options}: '{keys[i]}' and '{keys[j]}' give {order}");
                }
            }
        }
    }

    [Fact]
    public void Numbers_are_in_their_order_whatever_their_length()
    {
        string[] ordered =
        [
            "-" + new string('9', 70_000),
            "-" + new string('9', 300),
            "-1" + new string('0', 255),
            "-1" + new string('0', 254),
            "-1" + new string('0', 253),
            "-100",
            "-99.5",
            "-99.49",
            "-1.01",
            "-1",
            "-0.5",
            "-.25",
            "-0.0001",
            "0",
            "0.0001",
            ".001",
            "0.5",
            "1",
            "1.00001",
            "1.001",
            "9",
            "10",
            "10.5",
            "99",
            "100",
            "1" + new string('0', 253),
            "1" + new string('0', 254),
            "1" + new string('0', 255),
            new string('9', 70_000),
        ];
        var sort = new SortKey(Fields("-n"), "\t"u8);
        byte[][] strings = [.. ordered.Select(key => Make(sort, key))];
        for (int i = 1; i < strings.Length; i++)
        {
            Assert.True(strings[i - 1].AsSpan().SequenceCompareTo(strings[i]) < 0, $"{i}");
        }

        Assert.All(
            (string[])["-0", "000", "-0.000", ".", "-", "x5", " 5", "+5", "0x9", "-.", "--1"],
            key => Assert.Equal(Make(sort, "0"), Make(sort, key))
        );
        Assert.Equal(Make(sort, "1.5"), Make(sort, "001.500abc"));
        Assert.Equal(Make(sort, "-1.5"), Make(sort, "-1.5.7"));
        Assert.InRange(Make(sort, "123456789012").Length, 1, 9);
    }

    // What both call the same: fields with bytes, numbers that are numbers.
    [Theory]
    [InlineData("-k1,1 -k2,2nr")]
    [InlineData("-k2,2n -k1,1r")]
    [InlineData("-k3,3 -k1.2,1.3r -k2,2n")]
    [InlineData("-k2,3")]
    public async Task The_order_is_that_of_sort(string options)
    {
        Assert.SkipUnless(File.Exists("/usr/bin/sort"), "There is no sort.");
        var random = new Random(options.Length);
        string[] keys =
        [
            .. Enumerable.Range(0, 3_000).Select(_ => $"{Word(random)}\t{Numeral(random)}\t{Word(random)}"),
        ];
        var start = new ProcessStartInfo("/usr/bin/sort", ["-s", "-t", "\t", .. options.Split(' ')])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        start.Environment["LC_ALL"] = "C";
        using Process process = Process.Start(start)!;
        Task<string> read = process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.StandardInput.WriteAsync(string.Concat(keys.Select(static key => key + "\n")));
        process.StandardInput.Close();
        string sorted = await read;
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);

        var sort = new SortKey(Fields(options), "\t"u8);
        string[] ours = [.. keys.OrderBy(key => Convert.ToHexString(Make(sort, key)), StringComparer.Ordinal)];
        Assert.Equal(sorted, string.Concat(ours.Select(static key => key + "\n")));
    }

    [Fact]
    public void Strings_are_no_longer_than_said_and_nothing_is_allocated()
    {
        var sort = new SortKey(Fields("-k1,1 -k2,2nr -k1"), "\t"u8);
        foreach (
            string key in (string[])["", "\0\0\0\0", "1\t2", "\0\t9", new string('\0', 5_000), new string('7', 4_999)]
        )
        {
            Assert.InRange(Make(sort, key).Length, 1, sort.MostBytes(key.Length));
        }

        byte[] bytes = ComparedKeys.Bytes("some\t12.5\tother");
        byte[] into = new byte[sort.MostBytes(bytes.Length)];
        int made = 0;
        for (int round = 0; round < 2; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 1_000; i++)
            {
                made += sort.Make(bytes, into);
            }

            // The first round compiles.
            Assert.True(round == 0 || GC.GetAllocatedBytesForCurrentThread() == before, "Something was allocated.");
        }

        Assert.True(made > 0);
    }

    [Fact]
    public void A_job_without_a_comparator_has_none()
    {
        Assert.Null(SortKey.Of(new JobText()));
        var text = new JobText { SortFields = [KeyFields.First(1)], KeySeparator = "." };
        Assert.Equal(Make(SortKey.Of(text)!, "a.b"), Make(SortKey.Of(text)!, "a.c"));
    }

    private static byte[] Make(SortKey sort, string key)
    {
        byte[] into = new byte[sort.MostBytes(key.Length)];
        return into[..sort.Make(ComparedKeys.Bytes(key), into)];
    }

    private static IReadOnlyList<KeyFields> Fields(string options)
    {
        Assert.Null(KeyFields.TryParse(options, out IReadOnlyList<KeyFields> fields));
        return fields;
    }

    // Bytes that codes like to stumble over, many alike, and numbers well formed and not.
    private static string Draw(Random random, string separator)
    {
        string[] fields = new string[random.Next(5)];
        for (int i = 0; i < fields.Length; i++)
        {
            fields[i] = random.Next(3) switch
            {
                0 => Text(random, "\0\u0001\u0002ab\u00fe\u00ff", 4),
                1 => Text(random, "-.0019\0x \t", 6),
                _ => Numeral(random),
            };
        }

        return string.Join(separator, fields);
    }

    private static string Numeral(Random random) =>
        random.Next(4) switch
        {
            0 => random.Next(-20, 20).ToString(CultureInfo.InvariantCulture),
            1 => $"{(random.Next(2) == 0 ? "-" : "")}{Text(random, "0019", 3)}7.{Text(random, "009", 4)}",
            2 => $"{(random.Next(2) == 0 ? "-" : "")}{random.Next(3)}.{random.Next(30)}",
            _ => $"00{random.Next(5)}",
        };

    private static string Word(Random random) => "w" + Text(random, "abcAB_~", 3);

    private static string Text(Random random, string of, int most)
    {
        var text = new StringBuilder();
        for (int i = random.Next(most + 1); i > 0; i--)
        {
            text.Append(of[random.Next(of.Length)]);
        }

        return text.ToString();
    }
}
