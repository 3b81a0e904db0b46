using System.Text;
using CamCube.Services.KeyValue.Redis.Data;

namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>Patterns of keys.</summary>
public sealed class GlobPatternTests
{
    [Theory]
    [InlineData("", "", true)]
    [InlineData("*", "", true)]
    [InlineData("*", "anything", true)]
    [InlineData("?", "", false)]
    [InlineData("h?llo", "hallo", true)]
    [InlineData("h*llo", "hllo", true)]
    [InlineData("h*llo", "heeeello", true)]
    [InlineData("h[ae]llo", "hello", true)]
    [InlineData("h[ae]llo", "hillo", false)]
    [InlineData("h[^e]llo", "hello", false)]
    [InlineData("h[^e]llo", "hallo", true)]
    [InlineData("h[a-c]llo", "hbllo", true)]
    [InlineData("h[c-a]llo", "hbllo", true)]
    [InlineData("h\\*llo", "h*llo", true)]
    [InlineData("h\\*llo", "hello", false)]
    [InlineData("[\\]]", "]", true)]
    [InlineData("[a", "a", true)]
    [InlineData("[", "[", false)]
    [InlineData("a\\", "a\\", true)]
    [InlineData("*a*b*c", "xxaxxbxxc", true)]
    [InlineData("*a*b*c", "xxaxxcxxb", false)]
    public void They_fit_as_redis_has_it(string pattern, string key, bool fits) =>
        Assert.Equal(fits, GlobPattern.Fits(Encoding.Latin1.GetBytes(pattern), Encoding.Latin1.GetBytes(key)));

    [Fact]
    public void Many_stars_take_no_more_than_pattern_times_key()
    {
        // Of a matcher that tries everything this would take for ever.
        byte[] pattern = Encoding.Latin1.GetBytes(string.Concat(Enumerable.Repeat("a*", 50)) + "b");
        Assert.False(GlobPattern.Fits(pattern, Encoding.Latin1.GetBytes(new string('a', 10_000))));
    }

    [Theory]
    [InlineData("user:*", "user:")]
    [InlineData("user", "user")]
    [InlineData("us\\er", "us")]
    [InlineData("[a]", "")]
    public void A_list_of_what_begins_alike_is_enough(string pattern, string prefix) =>
        Assert.Equal(prefix, Encoding.Latin1.GetString(GlobPattern.PrefixOf(Encoding.Latin1.GetBytes(pattern))));
}
