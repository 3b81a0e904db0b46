using CamCube.Experiments.Images;

namespace CamCube.Experiments.Tests.Images;

/// <summary>Pictures of our own making. That a decoder takes them is seen where there is one: <c>images load</c> in the
/// system tests, where none is refused.</summary>
public sealed class MadePicturesTests
{
    [Fact]
    public void Lengths_are_spread_around_their_mean_as_the_papers()
    {
        int[] lengths =
        [
            .. Enumerable
                .Range(0, MadePictures.Count)
                .Select(i => MadePictures.LengthOf(i, MadePictures.Count, MadePictures.MeanBytes)),
        ];
        Assert.InRange(lengths.Average(), 1_469_000, 1_471_000);
        Assert.InRange(lengths.Min(), 450_000, 550_000);
        Assert.InRange(lengths.Max(), 2_300_000, 2_630_000);
    }

    [Theory]
    [InlineData(2_000)]
    [InlineData(30_000)]
    [InlineData(1_470_000)]
    public void A_picture_is_about_as_long_as_was_asked_for_and_the_same_for_the_same_seed(int bytes)
    {
        byte[] made = MadePictures.Make(1, bytes);
        Assert.InRange(made.Length, bytes * 0.9, bytes * 1.1);
        Assert.Equal(made, MadePictures.Make(1, bytes));
        Assert.NotEqual(made, MadePictures.Make(2, bytes));
        Assert.Equal([0xFF, 0xD8], made[..2]);
        Assert.Equal([0xFF, 0xD9], made[^2..]);
    }
}
