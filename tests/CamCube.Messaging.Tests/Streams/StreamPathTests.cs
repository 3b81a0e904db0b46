using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>Paths that fall silent while others answer, and are needed again.</summary>
public sealed class StreamPathTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 1, 0);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_silent_path_is_used_again_when_it_is_the_last(bool wasMended)
    {
        using TestCube cube = new TestCube(3, 3, 1, new SimulatorOptions { MaxFrameLength = 9_014 }).Add(
            s => new Streamer(s)
        );
        Streamer from = cube[A].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        from.Send(B, 1, 1L << 40);
        to.Send(A, 2, 1L << 40);
        cube.Advance(TimeSpan.FromMilliseconds(10));

        // Of all ways but one only what streams send is lost, so no view knows: they fall silent.
        cube.Lose = (server, link, packet) => packet.Service.Value == 0x0778 && server == A && link != Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(500));
        foreach (Link link in wasMended ? [Link.XMinus, Link.YPlus, Link.YMinus] : Array.Empty<Link>())
        {
            cube.Cut(A, link);
            cube.AwaitUntil(() => !cube[A].Topology.LinksUp.Contains(link));
            cube.Mend(A, link);
            cube.AwaitUntil(() => cube[A].Topology.LinksUp.Contains(link));
        }

        cube.Cut(A, Link.XPlus);
        cube.AwaitUntil(() => !cube[A].Topology.LinksUp.Contains(Link.XPlus));
        cube.Lose = null;
        cube.Advance(TimeSpan.FromMilliseconds(20));
        long[] before = [to.Read[1], from.Read[2]];
        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Empty(from.Ends.Concat(to.Ends));

        Assert.All(
            [to.Read[1] - before[0], from.Read[2] - before[1]],
            n => Assert.InRange(n, 1_000_000, long.MaxValue)
        );
    }
}
