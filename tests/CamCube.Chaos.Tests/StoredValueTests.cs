using CamCube.Chaos.Clients;

namespace CamCube.Chaos.Tests;

public sealed class StoredValueTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(300_000)]
    public void A_value_is_called_by_its_name_and_one_with_any_byte_changed_is_not(int length)
    {
        string name = StoredValue.Name(3, 17, length);
        byte[] value = StoredValue.Of(name);
        Assert.Equal(name, StoredValue.NameOf(value));
        var random = new Random(length);
        for (int i = 0; i < 50; i++)
        {
            byte[] other = [.. value];
            other[random.Next(other.Length)] ^= (byte)(1 << random.Next(8));
            Assert.NotEqual(name, StoredValue.NameOf(other));
        }

        Assert.NotEqual(name, StoredValue.NameOf(value.AsSpan(..^1)));
        Assert.NotEqual(name, StoredValue.NameOf([.. value, 0]));
    }

    [Theory]
    [InlineData("")]
    [InlineData("\n")]
    [InlineData("1-2-99999999999\n")]
    [InlineData("1-2--1\n")]
    [InlineData("hello")]
    public void What_nobody_wrote_so_has_no_value_s_name(string text) =>
        Assert.StartsWith("damaged: ", StoredValue.NameOf(System.Text.Encoding.ASCII.GetBytes(text)));
}
