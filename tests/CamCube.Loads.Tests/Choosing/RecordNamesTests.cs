using System.Text;
using CamCube.Loads.Choosing;

namespace CamCube.Loads.Tests.Choosing;

public sealed class RecordNamesTests
{
    [Fact]
    public void No_two_records_have_the_same_key_and_a_value_says_whose_it_is()
    {
        var names = new RecordNames("p:", 1_000, 1);
        HashSet<string> keys = [];
        byte[] value = new byte[names.ValueLength];
        for (int i = 0; i < 10_000; i++)
        {
            Assert.True(keys.Add(Encoding.UTF8.GetString(names.KeyOf(i, isCounter: false))));
            names.WriteValue(i, i * 7L, value);
            Assert.True(names.IsValueOf(i, value));
            Assert.False(names.IsValueOf(i + 1, value));
            Assert.False(names.IsValueOf(i, value.AsSpan(1)));
        }

        Assert.True(keys.Add(Encoding.UTF8.GetString(names.KeyOf(0, isCounter: true))));
        Assert.All(keys, key => Assert.Equal((names.KeyLength, "p:"), (key.Length, key[..2])));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(15)]
    [InlineData(16)]
    [InlineData(17)]
    public void Short_values_are_what_they_have_room_for(int length)
    {
        var names = new RecordNames("", length, 1);
        byte[] value = new byte[length];
        names.WriteValue(5, long.MaxValue, value);
        Assert.True(names.IsValueOf(5, value));
    }
}
