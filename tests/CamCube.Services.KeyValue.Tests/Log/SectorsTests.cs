using System.Numerics;
using System.Text;
using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Tests.Log;

public sealed class SectorsTests
{
    [Fact]
    public void A_sum_is_that_of_byte_after_byte_however_long_it_is_and_wherever_it_begins()
    {
        byte[] bytes = new byte[20_000];
        Random random = new(1);
        random.NextBytes(bytes);
        for (int length = 0; length <= bytes.Length - 8; length += length < 9_000 ? 1 : 997)
        {
            uint seed = (uint)random.NextInt64(uint.MaxValue);
            ReadOnlySpan<byte> part = bytes.AsSpan(length % 8, length);
            uint expected = seed;
            foreach (byte one in part)
            {
                expected = BitOperations.Crc32C(expected, one);
            }

            Assert.Equal(expected, Sectors.Sum(seed, part));
        }
    }

    [Fact]
    public void A_sum_is_CRC32C_and_can_be_made_of_parts()
    {
        Assert.Equal(0xE306_9283, ~Sectors.Sum(uint.MaxValue, Encoding.ASCII.GetBytes("123456789")));
        byte[] bytes = new byte[200_000];
        new Random(2).NextBytes(bytes);
        uint whole = Sectors.Sum(uint.MaxValue, bytes);
        Assert.Equal(whole, Sectors.Sum(Sectors.Sum(uint.MaxValue, bytes.AsSpan(0, 77_777)), bytes.AsSpan(77_777)));
    }

    [Fact]
    public void A_sum_moves_over_zeros_at_once()
    {
        byte[] zeros = new byte[300_000];
        Random random = new(3);
        for (int bytes = 0; bytes <= zeros.Length; bytes += bytes < 300 ? 1 : random.Next(20_000))
        {
            uint sum = (uint)random.NextInt64(uint.MaxValue);
            Assert.Equal(Sectors.Sum(sum, zeros.AsSpan(0, bytes)), SumShift.Over(sum, bytes));
        }
    }

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(20, 0, 1)]
    [InlineData(20, 0, PieceList.PieceBytes)]
    [InlineData(200, 31, 70_001)]
    public void A_record_and_its_value_are_summed_in_one_pass(int key, int extra, int value)
    {
        Random random = new(4);
        byte[] Made(int length)
        {
            byte[] bytes = new byte[length];
            random.NextBytes(bytes);
            return bytes;
        }

        byte[] record = new byte[RecordFormat.Length(key, extra, value)],
            content = Made(value);
        RecordFormat.Write(record, new LogRecord { Kind = 3 }, Made(key), Made(extra), content);
        RecordFormat.Seal(record, 77);
        Assert.True(RecordFormat.IsRight(record, 77, out uint sum));
        Assert.Equal(PieceList.SumOf(content), sum);
        Assert.False(RecordFormat.IsRight(record, 78, out _));
        for (int i = 0; i < 200; i++)
        {
            // Lengths are looked at before.
            int at = i < 4 ? i : random.Next(24, record.Length);
            record[at] ^= (byte)(1 << (i % 8));
            Assert.False(RecordFormat.IsRight(record, 77, out _), $"byte {at}");
            record[at] ^= (byte)(1 << (i % 8));
        }
    }
}
