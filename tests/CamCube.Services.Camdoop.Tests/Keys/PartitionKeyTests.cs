using System.Text;
using CamCube.Services.Camdoop.Keys;

namespace CamCube.Services.Camdoop.Tests.Keys;

public sealed class PartitionKeyTests
{
    [Theory]
    [InlineData("-k1,1", "a.b.c", "a")]
    [InlineData("-k1,2", "a.b.c", "a.b")]
    [InlineData("-k2", "a.b.c", "b.c")]
    [InlineData("-k2,2 -k1,1", "a.b.c", "ba")]
    [InlineData("-k1.2,1.3", "abcd.e", "bc")]
    [InlineData("-k1.3,2.1", "abcd.ef", "cd.e")]
    [InlineData("-k4,4", "a.b.c", "")]
    [InlineData("-k4,4 -k1,1", "a.b.c", "a")]
    [InlineData("-k1,9", "a.b", "a.b")]
    [InlineData("-k2,1", "a.b", "")]
    [InlineData("-k2,2", "a..c", "")]
    [InlineData("-k1,1", "", "")]
    [InlineData("-k1.5,1", "ab.cdefg", "")]
    [InlineData("-k1.5", "ab.cdefg", "defg")]
    public void The_bytes_are_those_that_Hadoop_hashes(string options, string key, string expected)
    {
        Assert.Null(KeyFields.TryParse(options, out IReadOnlyList<KeyFields> fields));
        Assert.Equal(expected, Find(new PartitionKey(fields, "."u8), key));
    }

    [Theory]
    [InlineData("\t")]
    [InlineData("::")]
    public void Drawn_keys_give_what_an_independent_count_gives(string separator)
    {
        var random = new Random(22);
        for (int i = 0; i < 20_000; i++)
        {
            string key = string.Concat(
                Enumerable
                    .Range(0, random.Next(12))
                    .Select(_ => random.Next(3) == 0 ? separator : "ab:\0"[random.Next(4)].ToString())
            );
            KeyFields[] fields =
            [
                .. Enumerable
                    .Range(0, random.Next(1, 4))
                    .Select(_ => new KeyFields(random.Next(1, 5), random.Next(1, 4), random.Next(5), random.Next(4))),
            ];
            string expected = string.Concat(fields.Select(part => ComparedKeys.PartOf(key, part, separator)));
            Assert.Equal(expected, Find(new PartitionKey(fields, ComparedKeys.Bytes(separator)), key));
        }
    }

    [Fact]
    public void A_job_says_it_by_parts_or_by_a_number_of_fields()
    {
        Assert.Null(PartitionKey.Of(new JobText()));
        var parts = new JobText { PartitionFields = [KeyFields.First(1)], KeySeparator = "," };
        Assert.Equal("a", Find(PartitionKey.Of(parts)!, "a,b,c"));
        Assert.Equal("a,b", Find(PartitionKey.Of(parts with { PartitionKeyFields = 2 })!, "a,b,c"));
    }

    private static string Find(PartitionKey partition, string key)
    {
        byte[] into = new byte[partition.MostBytes(key.Length)];
        return Encoding.Latin1.GetString(partition.Find(ComparedKeys.Bytes(key), into));
    }
}
