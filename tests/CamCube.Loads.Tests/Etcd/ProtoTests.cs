using CamCube.Loads.Etcd;

namespace CamCube.Loads.Tests.Etcd;

public sealed class ProtoTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(20_000)]
    public void What_is_written_is_read(int length)
    {
        byte[] value = new byte[length];
        new Random(1).NextBytes(value);
        byte[] frame = new ProtoWriter().Add(1, "key"u8).Add(200, value).ToFrame();
        Assert.Equal(0, frame[0]);
        var fields = new ProtoReader(frame.AsSpan(5));
        Assert.True(fields.Next());
        Assert.Equal((1, true), (fields.Field, fields.Bytes.SequenceEqual("key"u8)));
        Assert.True(fields.Next());
        Assert.Equal((200, true), (fields.Field, fields.Bytes.SequenceEqual(value)));
        Assert.False(fields.Next());
    }

    [Fact]
    public void Numbers_and_fields_of_fixed_length_are_read_or_skipped()
    {
        byte[] message = [0x20, 0xAC, 0x02, 0x29, 1, 2, 3, 4, 5, 6, 7, 8, 0x35, 1, 2, 3, 4, 0x08, 0x01];
        var fields = new ProtoReader(message);
        List<string> seen = [];
        while (fields.Next())
        {
            seen.Add($"{fields.Field} {fields.Number} {fields.Bytes.Length}");
        }

        Assert.Equal(["4 300 0", "5 0 8", "6 0 4", "1 1 0"], seen);
    }

    [Theory]
    [InlineData(new byte[] { 0x0A })]
    [InlineData(new byte[] { 0x0A, 0x05, 1, 2 })]
    [InlineData(new byte[] { 0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F })]
    [InlineData(new byte[] { 0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01 })]
    [InlineData(new byte[] { 0x80 })]
    [InlineData(new byte[] { 0x0B })]
    [InlineData(new byte[] { 0x09, 1, 2 })]
    public void What_is_no_message_is_refused(byte[] message) =>
        Assert.Throws<IOException>(() =>
        {
            var fields = new ProtoReader(message);
            while (fields.Next()) { }
        });
}
