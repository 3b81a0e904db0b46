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
}
