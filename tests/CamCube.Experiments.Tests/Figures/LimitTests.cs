using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Tests.Figures;

public sealed class LimitTests
{
    public static TheoryData<Limit, string, double[], double[]> Cases =>
        new()
        {
            { Limit.AtLeast(0.95), ">= 0.95", [0.95, 7], [0.9499] },
            { Limit.AtMost(27.41), "<= 27.41", [-1, 27.41], [27.42] },
            { Limit.Exactly(48_000), "= 48,000", [48_000], [47_999.5, 48_001] },
            { Limit.Between(30, 48), "30 to 48", [30, 48], [29.9, 48.1] },
            { Limit.Near(2, 0.05), "1.9 to 2.1", [1.9, 2.1], [1.89, 2.11] },
        };

    [Theory]
    [MemberData(nameof(Cases))]
    public void A_limit_says_what_it_asks_and_both_ends_belong_to_it(
        Limit limit,
        string text,
        double[] inside,
        double[] outside
    )
    {
        Assert.Equal(text, limit.ToString());
        Assert.All(inside, value => Assert.True(limit.Contains(value), $"{value}"));
        Assert.All(outside, value => Assert.False(limit.Contains(value), $"{value}"));
        Assert.False(limit.Contains(double.NaN));
    }

    [Fact]
    public void A_straight_line_fits_itself_and_a_bend_does_not()
    {
        LinearFit line = LinearFit.Of([(0, 5), (1, 3), (4, -3)]);
        Assert.Equal((5, -2, 1), (line.Offset, line.Slope, Math.Round(line.RSquared, 12)));
        Assert.Equal(1, line.At(2));
        Assert.InRange(LinearFit.Of([(0, 0), (1, 0), (2, 0), (3, 9)]).RSquared, 0.59, 0.61);
    }
}
