using System.ComponentModel.DataAnnotations;

namespace CamCube.Services.Cache.Tests.Backing;

/// <summary>What the setting may not say is said at the start, in a line that names it.</summary>
public sealed class BackedRulesTests
{
    [Theory]
    [InlineData("prefix of 0 bytes; allowed are 1 to 250", "a:", "")]
    [InlineData("'a:' more than once", "a:", "b:", "a:")]
    [InlineData("'file{'", "fi")]
    [InlineData("'image/'", "image/thumbs")]
    [InlineData("'used'", "u")]
    public void A_wrong_list_is_refused(string words, params string[] prefixes) =>
        Assert.Contains(words, Assert.Single(MistakesOf(new CacheOptions { Backed = prefixes })), Ordinal);

    [Fact]
    public void A_prefix_longer_than_a_key_is_refused()
    {
        Assert.Empty(MistakesOf(new CacheOptions { Backed = [new string('x', 250)] }));
        string line = Assert.Single(MistakesOf(new CacheOptions { Backed = [new string('x', 300)] }));
        Assert.Contains("300 bytes", line, Ordinal);
        Assert.Single(MistakesOf(new CacheOptions { Backed = [new string('ä', 126)] }));
    }

    [Fact]
    public void Values_longer_than_the_store_gives_at_once_are_refused()
    {
        var options = new CacheOptions
        {
            Backed = ["a:"],
            MaxValueLength = 2 << 20,
            MemoryLimit = 1 << 30,
        };
        Assert.Contains("MaxValueLength", Assert.Single(MistakesOf(options)), Ordinal);
        options.Backed = [];
        Assert.Empty(MistakesOf(options));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(16)]
    public void A_table_that_cannot_be_is_refused(int table) =>
        Assert.Contains("BackedTable", Assert.Single(MistakesOf(new CacheOptions { BackedTable = table })), Ordinal);

    private const StringComparison Ordinal = StringComparison.Ordinal;

    private static List<string> MistakesOf(CacheOptions options)
    {
        List<ValidationResult> results = [];
        Validator.TryValidateObject(options, new ValidationContext(options), results, validateAllProperties: true);
        return [.. results.Select(r => r.ErrorMessage!)];
    }
}
