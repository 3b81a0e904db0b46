using System.Text;
using CamCube.Client.Cache.Entries;

namespace CamCube.Client.Cache.Tests.Entries;

public sealed class CacheKeyTests
{
    [Theory]
    [InlineData("a")]
    [InlineData("!~")]
    [InlineData("user:42/orders?x=1")]
    [InlineData("Grüße-世界-🌍")]
    public void Keys_that_memcached_takes_stay_as_they_are(string key)
    {
        Assert.Equal(key, Form("", key));
        Assert.Equal("app:" + key, Form("app:", key));
    }

    [Theory]
    [InlineData(" ")]
    [InlineData("a b")]
    [InlineData("a\r\n")]
    [InlineData("\0")]
    [InlineData("\u007f")]
    [InlineData("sha256-")]
    [InlineData("sha256-47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU")]
    public void Others_are_hashed_behind_the_prefix(string key)
    {
        string form = Form("app:", key);
        Assert.Matches("^app:sha256-[A-Za-z0-9_-]{43}$", form);
        Assert.NotEqual("app:" + key, form);
    }

    [Fact]
    public void Half_a_surrogate_pair_is_hashed_as_it_is_and_no_prefix()
    {
        // Not in an attribute: its text is UTF-8, which has none.
        string[] halves = ["\ud83c", "\udf0d", "a\ud83c", "\udf0d\ud83c"];
        Assert.All(halves, half => Assert.Matches("^app:sha256-[A-Za-z0-9_-]{43}$", Form("app:", half)));
        Assert.Equal(halves.Length, halves.Select(half => Form("", half)).Distinct().Count());
        Assert.All(halves, half => Assert.False(CacheKey.IsPrefix(half)));
    }

    [Fact]
    public void The_empty_key_is_hashed_where_there_is_no_prefix() =>
        Assert.Equal(("sha256-47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU", "app:"), (Form("", ""), Form("app:", "")));

    [Fact]
    public void The_limit_is_250_bytes_with_the_prefix()
    {
        string prefix = new('p', CacheKey.MaxPrefixLength);
        Assert.Equal(250, Form("", new string('k', 250)).Length);
        Assert.Equal(50, Form("", new string('k', 251)).Length);
        Assert.Equal(prefix + new string('k', 50), Form(prefix, new string('k', 50)));
        Assert.Equal(250, Form(prefix, new string('k', 51)).Length);
        Assert.StartsWith("sha256-", Form("", new string('ä', 126)));
        Assert.Equal(50, Form("", new string('k', 1 << 20)).Length);
    }

    [Fact]
    public void No_two_keys_share_a_form()
    {
        var random = new Random(6);
        var keys = new HashSet<string>();
        for (int i = 0; i < 20_000; i++)
        {
            // Short keys of troublesome characters, so that many are near each other.
            IEnumerable<char> characters = Enumerable
                .Range(0, random.Next(5))
                .Select(_ => "a \r\u007fä\ud83c\udf0d\ufffd-"[random.Next(9)]);
            keys.Add(string.Concat(characters));
        }

        foreach (string key in keys.ToArray())
        {
            keys.Add(Form("", key));
        }

        Assert.Equal(keys.Count, keys.Select(key => Form("", key)).Distinct().Count());
    }

    [Theory]
    [InlineData("", true)]
    [InlineData("app:", true)]
    [InlineData("größe/", true)]
    [InlineData("a b", false)]
    [InlineData("a\n", false)]
    [InlineData(null, false)]
    public void A_prefix_has_no_spaces_and_no_control_characters(string? prefix, bool isGood) =>
        Assert.Equal(isGood, CacheKey.IsPrefix(prefix));

    [Fact]
    public void A_prefix_leaves_room_for_a_hash()
    {
        Assert.True(CacheKey.IsPrefix(new string('p', 200)));
        Assert.False(CacheKey.IsPrefix(new string('p', 201)));
    }

    private static string Form(string prefix, string key)
    {
        Span<byte> form = stackalloc byte[CacheKey.MaxLength];
        return Encoding.UTF8.GetString(form[..CacheKey.Write(Encoding.UTF8.GetBytes(prefix), key, form)]);
    }
}
