using CamCube.Services.Tunnel.Sending;
using CamCube.Testing;
using CamCube.Topology;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Which ways packets take.</summary>
public sealed class PathTests
{
    [Theory]
    [InlineData(4, 1, 1, 2)]
    [InlineData(5, 1, 1, 2)]
    [InlineData(2, 1, 1, 2)]
    [InlineData(3, 3, 1, 4)]
    [InlineData(4, 1, 5, 4)]
    [InlineData(3, 3, 3, 3)]
    [InlineData(2, 3, 1, 2)]
    public void Paths_end_where_they_should_and_share_no_link(int x, int y, int z, int least)
    {
        using var cube = new TunnelCube(x, y, z);
        TorusShape shape = cube.Shape;
        foreach (Coordinate from in Enumerable.Range(0, shape.Count).Select(shape.At))
        {
            var choice = new PathChoice(cube.Cube[from].ServerOf<TunnelService>(), TunnelPaths.All);
            foreach (Coordinate to in Enumerable.Range(0, shape.Count).Select(shape.At).Where(to => to != from))
            {
                (LinkSet links, LinkSet round) = choice.Find(to);
                Assert.InRange(links.Count, least, 6);
                HashSet<(Coordinate, Link)> used = [];
                foreach (Link first in links)
                {
                    Follow(choice, shape, from, to, first, round.Contains(first), used);
                }
            }
        }
    }

    [Fact]
    public void A_path_that_is_cut_is_not_begun()
    {
        using var cube = new TunnelCube(4, 1, 1);
        Assert.Equal(2, Find(cube, 0, 2).Count);
        cube.Cube.Cut(cube.Shape.At(3), Link.XMinus);
        cube.Cube.AwaitConverged();
        Assert.Equal(Link.XPlus, Find(cube, 0, 2));
        Assert.Equal(Link.XPlus, Find(cube, 0, 3) - Link.XMinus | Link.XPlus);
        cube.Cube.Mend(cube.Shape.At(3), Link.XMinus);
        cube.Cube.AwaitConverged();
        Assert.Equal(2, Find(cube, 0, 2).Count);
    }

    [Fact]
    public void One_path_is_one()
    {
        using var cube = new TunnelCube(3, 3, 1, new TunnelOptions { Paths = TunnelPaths.One });
        var choice = new PathChoice(cube.Cube[0].ServerOf<TunnelService>(), TunnelPaths.One);
        Assert.Equal(1, choice.Find(cube.Shape.At(4)).Links.Count);
        var disjoint = new PathChoice(cube.Cube[0].ServerOf<TunnelService>(), TunnelPaths.Disjoint);
        Assert.Equal(
            DisjointPaths.For(cube.Shape).SourceLinks(default, cube.Shape.At(4)),
            disjoint.Find(cube.Shape.At(4)).Links
        );
    }

    private static LinkSet Find(TunnelCube cube, int from, int to) =>
        new PathChoice(cube.Cube[from].ServerOf<TunnelService>(), TunnelPaths.All).Find(cube.Shape.At(to)).Links;

    private static void Follow(
        PathChoice choice,
        TorusShape shape,
        Coordinate from,
        Coordinate to,
        Link first,
        bool round,
        HashSet<(Coordinate, Link)> used
    )
    {
        Coordinate at = from;
        Link link = first;
        for (int hops = 1; ; hops++)
        {
            Assert.True(used.Add((at, link)), $"{from} to {to} by {first.Name()} uses {at} {link.Name()} again");
            at = shape.Step(at, link);
            if (at == to)
            {
                return;
            }

            Assert.InRange(hops, 1, shape.X + shape.Y + shape.Z);
            link = choice.Next(at, to, link.Opposite(), first, round, LinkSet.AllCables).First;
        }
    }
}
