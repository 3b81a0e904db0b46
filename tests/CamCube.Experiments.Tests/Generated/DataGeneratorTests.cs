using System.Globalization;
using System.IO.Hashing;
using System.Text;
using CamCube.Experiments.Generated;

namespace CamCube.Experiments.Tests.Generated;

public sealed class DataGeneratorTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-generated-").FullName;

    [Fact]
    public void Records_are_gensorts()
    {
        // As gensort -a prints them.
        const string First =
            "AsfAGHM5om  00000000000000000000000000000000  0000222200002222000022220000222200002222000000001111";
        const string Second =
            "~sHd0jDv6X  00000000000000000000000000000001  77779999444488885555CCCC777755555555BBBB666644446666";
        var source = new SortRecords(0);
        byte[] record = new byte[SortRecords.Length];
        source.Next(record);
        Assert.Equal(First + "\r\n", Encoding.ASCII.GetString(record));
        UInt128 sum = Crc32.HashToUInt32(record);
        source.Next(record);
        Assert.Equal(Second + "\r\n", Encoding.ASCII.GetString(record));
        Assert.Equal(sum + Crc32.HashToUInt32(record), source.Checksum);

        new SortRecords(1).Next(record);
        Assert.Equal(Second + "\r\n", Encoding.ASCII.GetString(record));
        new SortRecords(0, seed: 2).Next(record);
        Assert.NotEqual(First[..10], Encoding.ASCII.GetString(record)[..10]);
    }

    [Fact]
    public void Sort_gives_all_records_once_whatever_the_files_and_their_checksum()
    {
        GeneratedData three = new DataGenerator(Path.Combine(_folder, "3"), 3, 10_000, seed: 1).Sort();
        GeneratedData one = new DataGenerator(Path.Combine(_folder, "1"), 1, 10_000, seed: 1).Sort();

        Assert.Equal((100, 10_000), (three.Keys, three.Bytes));
        Assert.Equal(one.Checksum, three.Checksum);
        Assert.Equal(Read("1"), Read("3"));
        UInt128 sum = 0;
        foreach (byte[] record in Encoding.ASCII.GetBytes(Read("3")).Chunk(SortRecords.Length))
        {
            sum += Crc32.HashToUInt32(record);
        }

        Assert.Equal(sum.ToString("x", CultureInfo.InvariantCulture), three.Checksum);
    }

    [Theory]
    [InlineData(1.0 / 3)]
    [InlineData(0.5)]
    [InlineData(1)]
    public void Strings_and_text_have_the_share_that_they_say(double share)
    {
        var strings = new DataGenerator(Path.Combine(_folder, "s"), 3, 100_000, seed: 4);
        Check(strings.Strings(share), "s", share);
        var text = new DataGenerator(Path.Combine(_folder, "t"), 3, 100_000, seed: 4);
        Check(text.Text(share), "t", share);
        string[] words = WordsOf(Files("t")[0]);
        int[] counts = [.. words.CountBy(static w => w).Select(static c => c.Value).OrderDescending()];
        Assert.InRange((double)counts[0] / counts[9], 7, 13);
        Assert.InRange(counts[^1], 1, 3);
    }

    [Fact]
    public void Nothing_is_written_over_and_equal_arguments_give_equal_bytes()
    {
        new DataGenerator(Path.Combine(_folder, "a"), 2, 5_000, seed: 1).Text(0.7);
        new DataGenerator(Path.Combine(_folder, "b"), 2, 5_000, seed: 1).Text(0.7);
        Assert.Equal(Read("a"), Read("b"));
        string before = Read("a");
        Assert.Throws<IOException>(() => new DataGenerator(Path.Combine(_folder, "a"), 2, 5_000, seed: 2).Text(0.7));
        Assert.Equal(before, Read("a"));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private void Check(GeneratedData data, string folder, double share)
    {
        HashSet<string>[] files = [.. Files(folder).Select(static f => WordsOf(f).ToHashSet(StringComparer.Ordinal))];
        int different = files.SelectMany(static f => f).Distinct().Count();
        Assert.Equal(different, data.Keys);
        Assert.Equal((double)different / files.Sum(static f => f.Count), data.Share, 1e-9);
        Assert.Equal(share, data.Share, 0.03);
        Assert.Equal(files.Select(static f => (long)f.Count), data.Files.Select(static f => f.Records));
        Assert.Equal(files[0].Intersect(files[2]).Count(), data.InCommon[0][2]);
        Assert.Equal(Files(folder).Select(static f => new FileInfo(f).Length), data.Files.Select(static f => f.Bytes));
        Assert.InRange(data.Bytes, 70_000, 130_000);
        Assert.True(File.Exists(Path.Combine(_folder, folder, DataGenerator.Manifest)));
    }

    private string[] Files(string folder) =>
        [.. Directory.GetFiles(Path.Combine(_folder, folder), "part-*").Order(StringComparer.Ordinal)];

    private string Read(string folder) => string.Concat(Files(folder).Select(File.ReadAllText));

    private static string[] WordsOf(string file) =>
        File.ReadAllText(file).Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
}
