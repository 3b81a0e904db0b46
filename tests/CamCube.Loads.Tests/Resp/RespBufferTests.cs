using System.Text;
using CamCube.Loads.Resp;

namespace CamCube.Loads.Tests.Resp;

public sealed class RespBufferTests
{
    [Fact]
    public void A_command_is_an_array_of_words()
    {
        var buffer = new RespBuffer(1);
        buffer.Command(4);
        buffer.Word("SET"u8);
        buffer.Word("a\r\n"u8);
        buffer.Word(-7);
        "xyz"u8.CopyTo(buffer.WordOf(3));
        Assert.Equal(
            "*4\r\n$3\r\nSET\r\n$3\r\na\r\n\r\n$2\r\n-7\r\n$3\r\nxyz\r\n",
            Encoding.Latin1.GetString(buffer.Held)
        );
    }

    [Fact]
    public void It_holds_what_came_in_and_did_not_go_out_and_does_not_grow_for_more_than_that()
    {
        var buffer = new RespBuffer(64);
        var random = new Random(1);
        byte next = 0,
            first = 0;
        for (int i = 0; i < 10_000; i++)
        {
            byte[] bytes = new byte[random.Next(40)];
            for (int at = 0; at < bytes.Length; at++)
            {
                bytes[at] = next++;
            }

            buffer.Append(bytes);
            int out_ = random.Next(Math.Max(buffer.Count - 100, 0), buffer.Count + 1);
            foreach (byte one in buffer.Held[..out_])
            {
                Assert.Equal(first++, one);
            }

            buffer.Take(out_);
        }

        Assert.InRange(buffer.Room(1).Length + buffer.Count, 64, 512);
    }

    [Fact]
    public void It_does_not_grow_above_what_it_may()
    {
        var buffer = new RespBuffer(16, most: 100);
        buffer.Append(new byte[100]);
        Assert.Throws<RespException>(() => buffer.Append(new byte[1]));
    }
}
