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

    // Where many packets are under way few acknowledgements keep the window open.
    [Fact]
    public void A_wide_path_is_acknowledged_when_its_sender_asks()
    {
        const int KindAt = 20,
            FramesKind = 18,
            AcksKind = 20;
        using TestCube cube = new TestCube(3, 1, 1, new SimulatorOptions { LinkDelayNanos = 2_000_000 }).Add(
            s => new Streamer(s)
        );
        int[] kinds = new int[256];
        cube.Lose = (server, _, packet) =>
        {
            bool isOf = packet.Service.Value == 0x0778;
            kinds[isOf && server != packet.Destination.Server ? packet.HeaderSpan[KindAt] : 0]++;
            return false;
        };
        Streamer from = cube[A].Service<Streamer>();
        for (ulong label = 1; label <= 4; label++)
        {
            from.Send(new Coordinate(1, 0, 0), label, 5_000_000, StreamPaths.One);
        }

        cube.AwaitUntil(() => from.Ends.Count == 4);
        Assert.All(from.Ends, e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        Assert.InRange(kinds[FramesKind], 20_000_000 / 9_000, 3_000);
        Assert.InRange(kinds[AcksKind], 1, kinds[FramesKind] / 6);
    }
}
