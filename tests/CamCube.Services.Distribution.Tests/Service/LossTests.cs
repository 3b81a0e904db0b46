namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>How long members wait when a cable or a server is lost at half, coded or not. A piece is a frame.</summary>
[Collection(nameof(Alone))]
public sealed class LossTests
{
    private const int Length = 8_000_000;
    private const int Piece = 8 << 10;

    // A link, and a round trip at most, of frames that stand behind others.
    private const double RoundTripFrames = 10;

    // 4 is a neighbour of the source, and so the first of a tree.
    [Theory]
    [InlineData(1, false)]
    [InlineData(2, false)]
    [InlineData(2, true)]
    public void Coded_a_cable_or_with_two_a_server_costs_neither_time_nor_a_piece(int code, bool isServer)
    {
        using var plain = new LossCourse(code: 0, Length, Piece);
        using var coded = new LossCourse(code, Length, Piece);
        using var lost = new LossCourse(code, Length, Piece);
        plain.Run(fault: null);
        coded.Run(fault: null);
        Lose(lost, isServer);
        double coding = plain.Seconds / coded.Seconds * 6 / (6 - code);
        Assert.True(coding > 0.97, $"{coding:F3} of what {6 - code} of 6 trees carry");
        Assert.True(coded.Seconds / lost.Seconds > 0.97, $"{coded.Seconds:F5} s, and {lost.Seconds:F5} s with a loss");
        Assert.InRange(lost.StallFrames, 0, 3);
        Assert.Equal(0, lost.Twice);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(0, true)]
    public void Uncoded_it_costs_the_time_until_it_is_known(int code, bool isServer)
    {
        using var lost = new LossCourse(code, Length, Piece);
        Lose(lost, isServer);
        Assert.InRange(lost.StallFrames, 300, lost.DetectionFrames + (4 * RoundTripFrames));
    }

    // It is above some of its descendants in two trees.
    [Fact]
    public void With_one_tree_of_parity_a_server_costs_its_descendants_the_time_until_it_is_known_and_a_wait()
    {
        using var lost = new LossCourse(code: 1, Length, Piece);
        Lose(lost, isServer: true);
        Assert.InRange(lost.StallFrames, 300, lost.DetectionFrames + (1e6 * 100 / LossCourse.FrameNanos));
    }

    private static void Lose(LossCourse course, bool isServer) =>
        course.Run(
            isServer
                ? static cube => cube.Cube.Kill(cube.Cube.Shape.At(4))
                : static cube => cube.Cube.Cut(cube.Cube.Shape.At(4), Link.YPlus),
            isServer ? [4] : []
        );
}
