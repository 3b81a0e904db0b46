using System.Text;
using System.Text.RegularExpressions;

namespace CamCube.Services.Files.Tests.Paths;

/// <summary>Patterns in paths, against a regular expression that is made of the same parts.</summary>
public sealed class FilePatternTests
{
    [Theory]
    [InlineData("/a/*.log", 1, "x.log", true)]
    [InlineData("/a/*.log", 1, "x.logs", false)]
    [InlineData("/a/*.log", 1, ".log", true)]
    [InlineData("/??", 0, "ab", true)]
    [InlineData("/??", 0, "abc", false)]
    [InlineData("/[a-c]x", 0, "bx", true)]
    [InlineData("/[^a-c]x", 0, "bx", false)]
    [InlineData("/[]a]", 0, "]", true)]
    [InlineData("/[a\\]]", 0, "]", true)]
    [InlineData("/{a,b{c,d}}z", 0, "bdz", true)]
    [InlineData("/{a,b{c,d}}z", 0, "bz", false)]
    [InlineData("/{,x}y", 0, "y", true)]
    [InlineData("/a\\*", 0, "a*", true)]
    [InlineData("/a\\*", 0, "ab", false)]
    [InlineData("/part-*", 0, "part-00000", true)]
    public void A_name_fits_or_not(string path, int depth, string name, bool fits)
    {
        Assert.True(FilePattern.TryParse(path, out FilePattern pattern, out string? wrong), wrong);
        Assert.Equal(fits, pattern.Fits(depth, name));
    }

    [Theory]
    [InlineData("a*")]
    [InlineData("/a//b")]
    [InlineData("/[a")]
    [InlineData("/[]")]
    [InlineData("/[^]")]
    [InlineData("/{a,b")]
    [InlineData("/a}")]
    [InlineData("/}{")]
    public void What_is_no_pattern_is_said_in_words(string path)
    {
        Assert.False(FilePattern.TryParse(path, out _, out string? wrong));
        Assert.NotNull(wrong);
    }

    [Fact]
    public void Too_many_alternatives_are_refused_and_many_stars_take_no_time()
    {
        string many = "/" + string.Concat(Enumerable.Repeat("{a,b,c,d}", 12));
        Assert.False(FilePattern.TryParse(many, out _, out _));
        string stars = "/" + string.Concat(Enumerable.Repeat("*a", 100));
        Assert.True(FilePattern.TryParse(stars, out FilePattern pattern, out _));
        Assert.False(pattern.Fits(0, new string('a', 99) + "b"));
        Assert.True(pattern.Fits(0, new string('a', 200)));
    }

    [Fact]
    public void Names_fit_as_they_do_a_regular_expression()
    {
        var random = new Random(7);
        int fitting = 0;
        for (int i = 0; i < 20_000; i++)
        {
            (string text, string expression) = Draw(random, 2);
            string name = string.Concat(Enumerable.Range(0, random.Next(6)).Select(_ => "abc-"[random.Next(4)]));
            if (text.Length == 0 || !FilePattern.TryParse("/" + text, out FilePattern pattern, out _))
            {
                continue;
            }

            bool expected = Regex.IsMatch(name, $"^(?:{expression})$");
            fitting += expected ? 1 : 0;
            Assert.True(expected == pattern.Fits(0, name), $"{text} and {name}");
        }

        Assert.True(fitting > 1_000);
    }

    // Rubbish of every length is a pattern or words, and nothing else.
    [Fact]
    public void Rubbish_does_no_harm()
    {
        var random = new Random(11);
        for (int i = 0; i < 50_000; i++)
        {
            string text = string.Concat(
                Enumerable.Range(0, random.Next(20)).Select(_ => "/*?[]{},\\^-!ab"[random.Next(14)])
            );
            if (FilePattern.TryParse(text, out FilePattern pattern, out string? wrong))
            {
                for (int depth = 0; depth < pattern.Depth; depth++)
                {
                    _ = pattern.Fits(depth, "ab-");
                }
            }
            else
            {
                Assert.NotNull(wrong);
            }
        }
    }

    private static (string Text, string Expression) Draw(Random random, int depth)
    {
        var (text, expression) = (new StringBuilder(), new StringBuilder());
        for (int i = random.Next(4); i >= 0; i--)
        {
            (string one, string other) = random.Next(depth > 0 ? 6 : 5) switch
            {
                0 => ("*", ".*"),
                1 => ("?", "."),
                2 => ("[a-b]", "[a-b]"),
                3 => ("[^c]", "[^c]"),
                4 => Letter(random),
                _ => Alternatives(random, depth - 1),
            };
            text.Append(one);
            expression.Append(other);
        }

        return (text.ToString(), expression.ToString());
    }

    private static (string, string) Letter(Random random)
    {
        char letter = "abc"[random.Next(3)];
        return random.Next(3) == 0 ? ($"\\{letter}", $"{letter}") : ($"{letter}", $"{letter}");
    }

    private static (string, string) Alternatives(Random random, int depth)
    {
        (string Text, string Expression)[] all = [.. Enumerable.Range(0, 2).Select(_ => Draw(random, depth))];
        return (
            "{" + string.Join(',', all.Select(static one => one.Text)) + "}",
            "(?:" + string.Join('|', all.Select(static one => one.Expression)) + ")"
        );
    }
}
