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

    // All that the peer says was lost for half a second: what it had got counted as lost when a cable went down, and is
    // acknowledged after all. That is no disorder, and what is lost later is soon sent again.
    [Fact]
    public void What_is_acknowledged_late_because_acknowledgements_were_lost_was_not_overtaken()
    {
        using TestCube cube = new TestCube(3, 3, 1, new SimulatorOptions { LinkDelayNanos = 2_000_000 }).Add(
            s => new Streamer(s)
        );
        Coordinate to = new(1, 0, 0);
        Streamer from = cube[A].Service<Streamer>(),
            reader = cube[to].Service<Streamer>();
        ReliableStream[] streams =
        [
            .. Enumerable
                .Range(1, 3)
                .Select(l =>
                    from.Send(
                        to,
                        (ulong)l,
                        0,
                        new StreamParameters { Paths = StreamPaths.Via(Link.XPlus) },
                        complete: false
                    )
                ),
        ];
        byte[] message = [1];
        cube.Advance(TimeSpan.FromMilliseconds(50));
        cube.Lose = (server, _, packet) => packet.Service.Value == 0x0778 && server == to;
        streams[0].Write(message);
        cube.Advance(TimeSpan.FromMilliseconds(20));
        cube.Cut(A, Link.XPlus);
        cube.Advance(TimeSpan.FromMilliseconds(500));
        Assert.Empty(from.Ends);
        Assert.False(cube[A].Topology.LinksUp.Contains(Link.XPlus));
        cube.Mend(A, Link.XPlus);
        cube.AwaitUntil(() => cube[A].Topology.LinksUp.Contains(Link.XPlus));
        cube.Lose = null;
        streams[0].Write(message);
        cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal(2, streams[0].Acknowledged);

        // Two packets are lost, of which probes repeat only the first.
        cube.Lose = (server, _, packet) => packet.Service.Value == 0x0778 && server == A;
        streams[1].Write(message);
        cube.Advance(TimeSpan.FromMicroseconds(50));
        streams[2].Write(message);
        cube.Advance(TimeSpan.FromMicroseconds(50));
        cube.Lose = null;
        long began = cube.NowNanos;
        cube.AwaitUntil(() => streams.All(s => s.Acknowledged == s.Written));
        Assert.InRange(cube.NowNanos - began, 0, 100_000_000);
        Assert.Equal([2L, 1L, 1L], reader.Read.OrderBy(r => r.Key).Select(r => r.Value));
    }
}
