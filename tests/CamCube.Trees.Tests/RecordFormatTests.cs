namespace CamCube.Trees.Tests;

/// <summary>Records as bytes.</summary>
public sealed class RecordFormatTests
{
    [Fact]
    public void What_is_written_is_read_and_no_shorter_part_of_it_is()
    {
        var random = new Random(1);
        for (int i = 0; i < 300; i++)
        {
            byte[] key = new byte[1 + random.Next(1 << random.Next(1, 13))],
                value = new byte[random.Next(1 << random.Next(0, 17))];
            random.NextBytes(key);
            random.NextBytes(value);
            byte[] record = new byte[RecordFormat.LengthOf(key.Length, value.Length)];
            Assert.Equal(record.Length, RecordFormat.Write(record, key, value));
            int head = RecordFormat.ReadHead(record, out int keyAt, out int keyLength, out int valueLength);
            Assert.Equal((keyAt, key.Length, value.Length), (head, keyLength, valueLength));
            Assert.Equal(key, record[keyAt..(keyAt + keyLength)]);
            Assert.Equal(value, record[(keyAt + keyLength)..]);
            for (int cut = 0; cut < keyAt; cut++)
            {
                Assert.Equal(0, RecordFormat.ReadHead(record.AsSpan(0, cut), out _, out _, out _));
            }
        }
    }

    [Theory]
    [InlineData(new byte[] { 0, 1 })]
    [InlineData(new byte[] { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1 })]
    [InlineData(new byte[] { 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F })]
    [InlineData(new byte[] { 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0 })]
    public void What_no_record_begins_with_is_none(byte[] bytes) =>
        Assert.True(RecordFormat.ReadHead(bytes, out _, out _, out _) < 0);
}
