namespace CamCube.Services.Camdoop.Tests.Keys;

public sealed class KeyFieldsTests
{
    [Theory]
    [InlineData("", "")]
    [InlineData("-k1,1 -k2,2nr", "1.1,1.0 2.1,2.0nr")]
    [InlineData("-k 2n", "2.1,0.0n")]
    [InlineData("-k2.3,4.5r", "2.3,4.5r")]
    [InlineData("-k1.2r,3n", "1.2,3.0nr")]
    [InlineData("-k3,3.0", "3.1,3.0")]
    [InlineData("-nr", "1.1,0.0nr")]
    [InlineData("-n -r", "1.1,0.0nr")]
    [InlineData("-r -k1,1 -k2,2n", "1.1,1.0r 2.1,2.0n")]
    [InlineData("  -k1\t-k2  ", "1.1,0.0 2.1,0.0")]
    public void Options_are_read_as_Hadoop_does(string options, string expected)
    {
        Assert.Null(KeyFields.TryParse(options, out IReadOnlyList<KeyFields> fields));
        Assert.Equal(expected, string.Join(' ', fields.Select(Show)));
    }

    [Theory]
    [InlineData("-k")]
    [InlineData("-k0")]
    [InlineData("-k-1")]
    [InlineData("-k1.0")]
    [InlineData("-k1.")]
    [InlineData("-k1,")]
    [InlineData("-k1,0")]
    [InlineData("-k1,1x")]
    [InlineData("-k1 2")]
    [InlineData("-k1n5")]
    [InlineData("-k1,2,3")]
    [InlineData("-k99999999999999999999")]
    [InlineData("-k100001")]
    [InlineData("-t,")]
    [InlineData("1,1")]
    public void What_is_no_option_is_said(string options)
    {
        Assert.NotNull(KeyFields.TryParse(options, out IReadOnlyList<KeyFields> fields));
        Assert.Empty(fields);
    }

    [Fact]
    public void There_are_not_endlessly_many()
    {
        Assert.Null(KeyFields.TryParse(string.Join(' ', Enumerable.Repeat("-k1", KeyFields.Most)), out _));
        Assert.NotNull(KeyFields.TryParse(string.Join(' ', Enumerable.Repeat("-k1", KeyFields.Most + 1)), out _));
    }

    private static string Show(KeyFields one) =>
        $"{one.StartField}.{one.StartChar},{one.EndField}.{one.EndChar}"
        + $"{(one.IsNumeric ? "n" : "")}{(one.IsReverse ? "r" : "")}";
}
