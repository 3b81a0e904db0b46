using CamCube.Services.KeyValue.Metadata;

namespace CamCube.Services.KeyValue.Tests.FrontEnds;

public sealed class MetadataTests
{
    [Fact]
    public void What_was_kept_is_read_and_nothing_takes_no_bytes()
    {
        ValueMetadata kept = new("text/plain", [new("a", "1"), new("b", ""), new("a", "2")]);
        ValueMetadata read = ValueMetadata.Read(kept.ToBytes());
        Assert.Equal(kept.ContentType, read.ContentType);
        Assert.Equal(kept.Fields, read.Fields);
        Assert.Empty(ValueMetadata.None.ToBytes());
        Assert.Null(ValueMetadata.Read([]).ContentType);
        Assert.Null(ValueMetadata.Read(new ValueMetadata(null, [new("a", "1")]).ToBytes()).ContentType);
    }

    [Fact]
    public void The_bytes_are_those_of_the_page()
    {
        byte[] bytes = new ValueMetadata("t/p", [new("a", "12")]).ToBytes();
        Assert.Equal("01030074" + "2F70" + "010061" + "02003132", Convert.ToHexString(bytes));
    }

    [Fact]
    public void What_is_cut_changed_or_random_reads_as_something_that_a_header_can_have()
    {
        byte[] whole = new ValueMetadata("text/plain", [new("name", "value")]).ToBytes();
        Random random = new(7);
        for (int length = 0; length < whole.Length; length++)
        {
            Check(whole[..length]);
        }

        for (int i = 0; i < 20_000; i++)
        {
            byte[] bytes = [.. whole];
            bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            Check(bytes);
            bytes = new byte[random.Next(1, 64)];
            random.NextBytes(bytes);
            bytes[0] = 1;
            Check(bytes);
        }

        static void Check(byte[] bytes)
        {
            ValueMetadata read = ValueMetadata.Read(bytes);
            Assert.True(ValueMetadata.CanKeep(read.ContentType ?? ""));
            Assert.All(
                read.Fields,
                field => Assert.True(ValueMetadata.CanKeep(field.Name) && ValueMetadata.CanKeep(field.Value))
            );
        }
    }
}
