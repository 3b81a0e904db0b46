using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Tests.Figures;

/// <summary>What links can carry at most when servers are lost.</summary>
public sealed class LinkRoomTests
{
    private static readonly TorusShape Shape = new(3, 3, 3);

    [Fact]
    public void All_links_carry_what_all_links_carry() => Assert.Equal(1, LinkRoom.Without(Shape, []), 9);

    [Fact]
    public void Without_one_server_six_cables_are_missing_and_ways_are_a_little_longer()
    {
        // 75 of 81 cables. A value goes 52 / 26 hops on average if all are there, and then to two neighbours.
        double room = LinkRoom.Without(Shape, [13]);
        Assert.InRange(room, 75 / 81.0 * 0.95, 75 / 81.0 * 1.02);
    }

    // Nine drawn servers: their links are gone, and those that would have been the shortest ways.
    [Fact]
    public void Without_a_third_of_the_servers_links_carry_less_than_half()
    {
        double[] rooms =
        [
            .. Enumerable
                .Range(1, 20)
                .Select(seed => new DrawStream((ulong)seed, "failing servers").Choose(9, Shape.Count))
                .Select(lost => LinkRoom.Without(Shape, lost)),
        ];
        TestContext.Current.TestOutputHelper!.WriteLine($"seed 1: {rooms[0]}; all: {rooms.Min()} to {rooms.Max()}");
        Assert.InRange(rooms.Average(), 0.38, 0.48);
    }

    // Three planes of nine; two are left whole, and no other nine are lost that well: less than 0.6, too.
    [Fact]
    public void Without_a_plane_links_carry_the_most_that_they_can_without_nine()
    {
        int[] plane = [.. Enumerable.Range(0, Shape.Count).Where(static rank => Shape.At(rank).Z == 2)];
        double room = LinkRoom.Without(Shape, plane);
        Assert.Equal(0.58, room, 0.001);
        foreach (int kept in plane)
        {
            foreach (int other in Enumerable.Range(0, Shape.Count).Except(plane))
            {
                Assert.True(LinkRoom.Without(Shape, [.. plane.Where(rank => rank != kept), other]) < room);
            }
        }
    }
}
