using System.Text;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Text;

namespace CamCube.Services.Cache.Memcached.Tests;

public sealed class ParserTests
{
    [Fact]
    public void A_store_is_parsed()
    {
        TextCommand command = TextParser.Parse("  cas key 1 -2 3  4 noreply"u8);
        Assert.Equal(TextVerb.Store, command.Verb);
        Assert.Equal(CacheOperation.CompareAndSwap, command.Operation);
        Assert.Equal("key", Encoding.Latin1.GetString(command.Key));
        Assert.Equal(1u, command.Flags);
        Assert.Equal(-2, command.Expiry);
        Assert.Equal(3, command.Length);
        Assert.Equal(4ul, command.Cas);
        Assert.True(command.NoReply);
    }

    [Theory]
    [InlineData("get a b", CacheOperation.Get, false, 0)]
    [InlineData("gets a b", CacheOperation.Get, true, 0)]
    [InlineData("gat 5 a b", CacheOperation.GetAndTouch, false, 5)]
    [InlineData("gats -1 a b", CacheOperation.GetAndTouch, true, -1)]
    public void Gets_are_parsed(string line, CacheOperation operation, bool withCas, int expiry)
    {
        TextCommand command = TextParser.Parse(Encoding.Latin1.GetBytes(line));
        Assert.Equal(TextVerb.Get, command.Verb);
        Assert.Equal(operation, command.Operation);
        Assert.Equal(withCas, command.WithCas);
        Assert.Equal(expiry, command.Expiry);
        Assert.Equal("a b", Encoding.Latin1.GetString(command.Key).TrimStart());
    }

    [Theory]
    [InlineData("0", true, 0ul)]
    [InlineData("18446744073709551615", true, ulong.MaxValue)]
    [InlineData("18446744073709551616", false, 0ul)]
    [InlineData("99999999999999999999999", false, 0ul)]
    [InlineData("-1", false, 0ul)]
    [InlineData("-18446744073709551615", true, 1ul)]
    [InlineData("+7", true, 7ul)]
    [InlineData("\t 12\t34", true, 12ul)]
    [InlineData("12x", false, 0ul)]
    [InlineData("", false, 0ul)]
    [InlineData("-", false, 0ul)]
    [InlineData(" ", false, 0ul)]
    public void Unsigned_numbers_are_strtoulls(string text, bool isNumber, ulong value)
    {
        Assert.Equal(isNumber, TextNumbers.TryUnsigned(Encoding.Latin1.GetBytes(text), out ulong actual));
        if (isNumber)
        {
            Assert.Equal(value, actual);
        }
    }

    [Theory]
    [InlineData("-1", true, -1L)]
    [InlineData("9223372036854775807", true, long.MaxValue)]
    [InlineData("-9223372036854775808", true, long.MinValue)]
    [InlineData("9223372036854775808", false, 0L)]
    [InlineData("-9223372036854775809", false, 0L)]
    [InlineData("5 ", true, 5L)]
    public void Signed_numbers_are_strtols(string text, bool isNumber, long value)
    {
        Assert.Equal(isNumber, TextNumbers.TrySigned(Encoding.Latin1.GetBytes(text), out long actual));
        Assert.Equal(value, actual);
    }

    [Theory]
    [InlineData("4294967296", 0)]
    [InlineData("4294967295", -1)]
    [InlineData("2147483648", int.MinValue)]
    public void Fields_of_32_bits_keep_the_low_half(string text, int value)
    {
        Assert.True(TextNumbers.TrySigned32(Encoding.Latin1.GetBytes(text), out int actual));
        Assert.Equal(value, actual);
        Assert.True(TextNumbers.TryUnsigned32(Encoding.Latin1.GetBytes(text), out uint unsigned));
        Assert.Equal((uint)value, unsigned);
    }

    [Fact]
    public void Words_are_counted_beyond_those_that_are_kept()
    {
        var tokens = new TextTokens(" a  bc d e f g h i j kl "u8);
        Assert.Equal(10, tokens.Count);
        Assert.True(tokens[1].SequenceEqual("bc"u8));
        Assert.True(tokens[7].SequenceEqual("i"u8));
        Assert.True(tokens.Last.SequenceEqual("kl"u8));
        Assert.Equal(0, new TextTokens("  "u8).Count);
        Assert.True(new TextTokens(""u8).Last.IsEmpty);
    }

    [Fact]
    public void The_version_is_the_same_in_both_places() =>
        Assert.Equal(
            $"VERSION {MemcachedFrontEnd.Version}\r\n",
            Encoding.Latin1.GetString(TextReplies.Of(TextReply.Version))
        );

    [Fact]
    public void Every_line_has_a_text_of_its_own()
    {
        string[] lines =
        [
            .. Enum.GetValues<TextReply>().Select(line => Encoding.Latin1.GetString(TextReplies.Of(line))),
        ];
        Assert.Equal(lines.Length, lines.Distinct().Count());
        Assert.All(lines, line => Assert.True(line.Length == 0 || line.EndsWith("\r\n", StringComparison.Ordinal)));
    }
}
