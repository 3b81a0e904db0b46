namespace CamCube.Abstractions.Tests.Geometry;

public sealed class LinkTests
{
    [Theory]
    [InlineData(Link.XPlus, 0, 0, 1, Link.XMinus, "+x", "px")]
    [InlineData(Link.XMinus, 1, 0, -1, Link.XPlus, "-x", "mx")]
    [InlineData(Link.YPlus, 2, 1, 1, Link.YMinus, "+y", "py")]
    [InlineData(Link.YMinus, 3, 1, -1, Link.YPlus, "-y", "my")]
    [InlineData(Link.ZPlus, 4, 2, 1, Link.ZMinus, "+z", "pz")]
    [InlineData(Link.ZMinus, 5, 2, -1, Link.ZPlus, "-z", "mz")]
    public void Numbers_axes_signs_and_names_are_fixed(
        Link link,
        int number,
        int axis,
        int sign,
        Link opposite,
        string name,
        string plainName
    )
    {
        Assert.Equal(number, (int)link);
        Assert.Equal(axis, link.Axis());
        Assert.Equal(sign, link.Sign());
        Assert.Equal(opposite, link.Opposite());
        Assert.Equal(link, Links.Of(axis, sign));
        Assert.Equal(name, link.Name());
        Assert.Equal(plainName, link.PlainName());
        foreach (string text in (string[])[name, plainName, name.ToUpperInvariant(), plainName.ToUpperInvariant()])
        {
            Assert.True(Links.TryParse(text, out Link read));
            Assert.Equal(link, read);
        }
    }

    [Fact]
    public void Local_is_the_seventh_and_its_own_opposite()
    {
        Assert.Equal(6, (int)Link.Local);
        Assert.Equal(Link.Local, Link.Local.Opposite());
        Assert.Equal("local", Link.Local.Name());
        Assert.Equal(7, Links.Count);
        Assert.Equal(6, Links.Cables);
    }

    [Theory]
    [InlineData("")]
    [InlineData("local")]
    [InlineData("x")]
    [InlineData("+w")]
    [InlineData("+x ")]
    [InlineData("xp")]
    public void Other_texts_are_no_cables(string text) => Assert.False(Links.TryParse(text, out _));
}
