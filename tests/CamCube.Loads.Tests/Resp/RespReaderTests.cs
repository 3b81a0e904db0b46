using System.Text;
using CamCube.Loads.Resp;

namespace CamCube.Loads.Tests.Resp;

public sealed class RespReaderTests
{
    [Theory]
    [InlineData("+OK\r\n", "OK")]
    [InlineData("+\r\n", "")]
    [InlineData("-ERR wrong type\r\n", "error ERR wrong type")]
    [InlineData(":0\r\n", "0")]
    [InlineData(":-9223372036854775808\r\n", "-9223372036854775808")]
    [InlineData(":9223372036854775807\r\n", "9223372036854775807")]
    [InlineData(":+7\r\n", "7")]
    [InlineData("$0\r\n\r\n", "")]
    [InlineData("$5\r\na\r\nbc\r\n", "a\r\nbc")]
    [InlineData("$-1\r\n", "nothing")]
    [InlineData("*-1\r\n", "nothing")]
    [InlineData("*0\r\n", "[]")]
    [InlineData("*3\r\n$1\r\na\r\n:2\r\n*2\r\n+x\r\n$-1\r\n", "[a, 2, [x, nothing]]")]
    public void An_answer_is_read_wherever_it_is_cut(string text, string means)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(text + "+NEXT\r\n");
        for (int there = 0; there < text.Length; there++)
        {
            Assert.Equal(RespOutcome.Partial, RespReader.TryRead(bytes.AsSpan(0, there), out RespHead none));
            Assert.Equal(default, none);
        }

        for (int there = text.Length; there <= bytes.Length; there++)
        {
            Assert.Equal(RespOutcome.Taken, RespReader.TryRead(bytes.AsSpan(0, there), out RespHead head));
            Assert.Equal((text.Length, means), (head.Taken, RespValue.Of(bytes, head).ToString()));
        }
    }

    [Theory]
    [InlineData("HTTP/1.1 400 Bad Request\r\n")]
    [InlineData("\r\n")]
    [InlineData("+OK\n")]
    [InlineData("+O\rK\r\n")]
    [InlineData(":\r\n")]
    [InlineData(":1x\r\n")]
    [InlineData(":--1\r\n")]
    [InlineData(":9223372036854775808\r\n")]
    [InlineData(":99999999999999999999\r\n")]
    [InlineData("$-2\r\n")]
    [InlineData("$-9223372036854775808\r\n")]
    [InlineData("$536870913\r\n")]
    [InlineData("$4294967296\r\n")]
    [InlineData("$1\r\nab\r\n")]
    [InlineData("$1\r\na\rb")]
    [InlineData("*-2\r\n")]
    [InlineData("*1048577\r\n")]
    [InlineData("*2\r\n*1048576\r\n")]
    [InlineData("*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n")]
    [InlineData("*1\r\n%1\r\n")]
    public void What_no_server_says_is_refused(string text) =>
        Assert.Equal(RespOutcome.Breach, RespReader.TryRead(Encoding.Latin1.GetBytes(text), out _));

    [Theory]
    [InlineData('+')]
    [InlineData(':')]
    [InlineData('$')]
    [InlineData('*')]
    public void A_line_without_an_end_is_refused(char type)
    {
        byte[] line = Encoding.Latin1.GetBytes(type + new string('1', RespReader.MostLine));
        Assert.Equal(RespOutcome.Partial, RespReader.TryRead(line.AsSpan(0, RespReader.MostLine - 1), out _));
        Assert.Equal(RespOutcome.Breach, RespReader.TryRead(line, out _));
    }

    [Fact]
    public void Bytes_of_chance_are_never_read_beyond_their_end()
    {
        var random = new Random(1);
        byte[] letters = "+-:$*0123456789\r\nab"u8.ToArray();
        int taken = 0;
        for (int i = 0; i < 100_000; i++)
        {
            byte[] bytes = new byte[random.Next(24)];
            for (int at = 0; at < bytes.Length; at++)
            {
                bytes[at] = letters[random.Next(letters.Length)];
            }

            if (RespReader.TryRead(bytes, out RespHead head) == RespOutcome.Taken)
            {
                Assert.InRange(head.Taken, 3, bytes.Length);
                _ = RespValue.Of(bytes, head);
                taken++;
            }
        }

        Assert.InRange(taken, 100, 100_000);
    }
}
