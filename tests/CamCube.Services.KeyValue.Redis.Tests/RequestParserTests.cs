using System.Text;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Settings;
using CamCube.Tests;

namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>Requests as bytes: whole, in pieces, and wrong.</summary>
public sealed class RequestParserTests
{
    private static readonly RedisFrontEndOptions Small = new()
    {
        MaxValueLength = 4 << 10,
        MaxRequestBytes = 64 << 10,
        MaxArguments = 1_000,
    };

    [Theory]
    [InlineData("*1\r\n$4\r\nPING\r\n", "PING")]
    [InlineData("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$0\r\n\r\n", "SET|k|")]
    [InlineData("*2\r\n$3\r\nGET\r\n$4\r\na\r\nb\r\n", "GET|a\r\nb")]
    [InlineData("PING\r\n", "PING")]
    [InlineData("  set  a\t\"b c\\x41\\n\\q\"  'it\\'s'\n", "set|a|b cA\nq|it's")]
    [InlineData("set a \"\"\r\n", "set|a|")]
    public void It_reads_requests_cut_anywhere(string request, string arguments)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(request);
        for (int first = 0; first <= bytes.Length; first++)
        {
            for (int second = first; second <= bytes.Length; second++)
            {
                var parser = new RequestParser(Small);
                var into = new RequestArguments();
                List<byte> kept = [];
                ParseStep step = ParseStep.NeedsInput;
                foreach (byte[] piece in (byte[][])[bytes[..first], bytes[first..second], bytes[second..]])
                {
                    kept.AddRange(piece);
                    if (step == ParseStep.NeedsInput)
                    {
                        step = parser.Read(kept.ToArray(), false, into, out int consumed);
                        kept.RemoveRange(0, consumed);
                    }
                }

                Assert.Equal((ParseStep.Complete, 0), (step, kept.Count));
                Assert.Equal(arguments, Text(into));
                Assert.False(parser.IsReceiving);
            }
        }
    }

    [Theory]
    [InlineData("*0\r\n")]
    [InlineData("*-1\r\n")]
    [InlineData("*-10\r\n")]
    [InlineData("\r\n")]
    [InlineData("\n")]
    [InlineData("   \r\n")]
    public void Nothing_is_no_request_and_no_mistake(string request) =>
        Assert.Equal(ParseStep.Empty, Read(request, out _));

    [Theory]
    [InlineData("*x\r\n", "invalid multibulk length")]
    [InlineData("*\r\n", "invalid multibulk length")]
    [InlineData("*+1\r\n", "invalid multibulk length")]
    [InlineData("*1001\r\n", "invalid multibulk length")]
    [InlineData("*20000000000000000000\r\n", "invalid multibulk length")]
    [InlineData("*1\r\n:1\r\n", "expected '$', got ':'")]
    [InlineData("*1\r\n\r\n", "expected '$', got '?'")]
    [InlineData("*1\r\n$-1\r\n", "invalid bulk length")]
    [InlineData("*1\r\n$x\r\n", "invalid bulk length")]
    [InlineData("*1\r\n$4097\r\n", "invalid bulk length")]
    [InlineData("*1\r\n$2147483648\r\n", "invalid bulk length")]
    [InlineData("*1\r\n$9223372036854775808\r\n", "invalid bulk length")]
    [InlineData("set \"a\r\n", "unbalanced quotes in request")]
    [InlineData("set \"a\"b\r\n", "unbalanced quotes in request")]
    [InlineData("set 'a\r\n", "unbalanced quotes in request")]
    public void What_is_none_is_told_so(string request, string error)
    {
        Assert.Equal(ParseStep.Broken, Read(request, out RequestParser parser));
        Assert.Equal(error, parser.Error);
    }

    [Theory]
    [InlineData('*', "too big mbulk count string")]
    [InlineData('a', "too big inline request")]
    public void A_line_without_an_end_is_not_waited_for(char first, string error)
    {
        Assert.Equal(ParseStep.NeedsInput, Read(first + new string('1', 64 << 10 - 1), out _));
        Assert.Equal(ParseStep.Broken, Read(first + new string('1', 64 << 10), out RequestParser parser));
        Assert.Equal(error, parser.Error);
    }

    [Fact]
    public void All_arguments_together_have_a_limit()
    {
        var parser = new RequestParser(Small);
        var into = new RequestArguments();
        string piece = $"$4096\r\n{new string('x', 4096)}\r\n";
        ParseStep step = parser.Read(
            Encoding.Latin1.GetBytes("*17\r\n" + string.Concat(Enumerable.Repeat(piece, 17))),
            false,
            into,
            out _
        );
        Assert.Equal((ParseStep.Broken, "too big request"), (step, parser.Error));
    }

    [Fact]
    public void Who_has_not_said_who_he_is_may_say_little()
    {
        Assert.Equal(ParseStep.Broken, Read("*11\r\n", out RequestParser parser, isStranger: true));
        Assert.Equal("unauthenticated multibulk length", parser.Error);
        var large = new RequestParser(new RedisFrontEndOptions());
        byte[] bytes = "*1\r\n$16385\r\n"u8.ToArray();
        Assert.Equal(ParseStep.Broken, large.Read(bytes, true, new RequestArguments(), out _));
        Assert.Equal("unauthenticated bulk length", large.Error);
    }

    [Fact]
    public void Any_bytes_end_in_something() =>
        FuzzInputs.Run(
            (random, count) =>
            {
                string[] words =
                [
                    "*",
                    "$",
                    "\r\n",
                    "1",
                    "2",
                    "-",
                    "4096",
                    "SET",
                    "\"",
                    "'",
                    "\\x",
                    "99999999999",
                    "\n",
                ];
                for (int i = 0; i < count / 10; i++)
                {
                    var text = new StringBuilder();
                    for (int n = random.Next(20); n >= 0; n--)
                    {
                        text.Append(
                            random.Next(4) == 0 ? $"{(char)random.Next(256)}" : words[random.Next(words.Length)]
                        );
                    }

                    byte[] bytes = Encoding.Latin1.GetBytes(text.ToString());
                    var parser = new RequestParser(Small);
                    var into = new RequestArguments();
                    int at = 0;
                    ParseStep step = ParseStep.Empty;
                    while (step is ParseStep.Complete or ParseStep.Empty && at < bytes.Length)
                    {
                        into.Clear();
                        step = parser.Read(bytes.AsSpan(at), random.Next(2) == 0, into, out int consumed);
                        Assert.InRange(
                            consumed,
                            step is ParseStep.Complete or ParseStep.Empty ? 1 : 0,
                            bytes.Length - at
                        );
                        Assert.True(into.Length <= Small.MaxRequestBytes);
                        at += consumed;
                    }
                }
            }
        );

    private static ParseStep Read(string request, out RequestParser parser, bool isStranger = false)
    {
        parser = new RequestParser(Small);
        return parser.Read(Encoding.Latin1.GetBytes(request), isStranger, new RequestArguments(), out _);
    }

    private static string Text(RequestArguments arguments) =>
        string.Join('|', Enumerable.Range(0, arguments.Count).Select(i => Encoding.Latin1.GetString(arguments[i])));
}
