using CamCube.Messaging.Streams.Wire;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>What a peer sends that cannot be, or that means nothing any more.</summary>
public sealed class StreamBadInputTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(2, 0, 0);

    // What cannot be on the connection of three streams: 0 with 1,000 bytes and their end, 2 with nothing yet, and the
    // other side's 1 with 5,000 bytes.
    public static readonly TheoryData<string, byte[]> Impossible = new()
    {
        { "data beyond its credit", Forger.Frames((ref FrameWriter w) => w.Data(2, 64 << 10, 1, false, null)) },
        { "data far beyond its credit", Forger.Frames((ref FrameWriter w) => w.Data(2, 1L << 47, 9, false, null)) },
        { "an end beyond its credit", Forger.Frames((ref FrameWriter w) => w.Data(2, 1L << 40, 0, true, null)) },
        { "data behind its end", Forger.Frames((ref FrameWriter w) => w.Data(0, 1_000, 1, false, null)) },
        { "data across its end", Forger.Frames((ref FrameWriter w) => w.Data(0, 999, 2, false, null)) },
        { "a later end", Forger.Frames((ref FrameWriter w) => w.Data(0, 1_000, 7, true, null)) },
        { "an earlier end", Forger.Frames((ref FrameWriter w) => w.Data(0, 500, 7, true, null)) },
        { "a stream of the wrong side", Forger.Frames((ref FrameWriter w) => w.Data(3, 0, 5, false, Purpose)) },
        { "the end of one of the wrong side", Forger.Frames((ref FrameWriter w) => w.Stop(99, 0)) },
        { "the reset of one of the wrong side", Forger.Frames((ref FrameWriter w) => w.Reset(99, 0, 0, 0)) },
        { "credit for one of the wrong side", Forger.Frames((ref FrameWriter w) => w.Credit(99, 0, 9)) },
        { "more consumed than written", Forger.Frames((ref FrameWriter w) => w.Credit(1, 5_001, 64 << 10)) },
        { "more consumed than allowed", Forger.Frames((ref FrameWriter w) => w.Credit(1, 5_000, 4_999)) },
        { "an ack of what was never sent", Forger.Ack(0, 1_000_000, (0, 1)) },
        { "an ack of half the numbers", Forger.Ack(0, 1U << 31, (0, 1)) },
        { "an ack below 0", Forger.Ack(0, 0, (0, 2)) },
        { "an ack with a gap below 0", Forger.Ack(0, 0, (0, 1), (1, 1)) },
        { "an ack with an empty range", Forger.Ack(0, 0, (0, 0)) },
        { "an ack of a path to nowhere", Forger.Ack(6, 0, (0, 1)) },
        { "an ack of a path without a cable", Forger.Ack(4, 0, (0, 1)) },
        { "a frame of type 0", [0] },
        { "a frame of type 8", [8, 0, 0] },
        { "a frame of type 255", [255] },
        { "flags that are none", [1, 4, .. new byte[12]] },
        { "an offset of 2^48", [1, 0, 2, 0, 0, 0, 255, 255, 255, 255, 255, 255, 1, 0, 7] },
        { "bytes that are not there", [1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 7] },
        { "a stream with flags that are none", [1, 1, 4, .. new byte[27], 0x20, 0] },
        { "a pinned stream to a server", [1, 1, 4, .. new byte[27], 2, 0] },
        { "a reset for no reason", [4, 2, 0, 0, 0, 3, .. new byte[10]] },
        { "half a frame behind a whole one", [6, 7, 2, 0, 0] },
    };

    private static StreamPurpose Purpose => new(77, 0, 0, 0);

    [Theory]
    [MemberData(nameof(Impossible))]
    public void What_cannot_be_ends_its_connection_as_malformed_and_no_other(string what, byte[] body)
    {
        using TestCube cube = CubeOf(3, 3, 1);
        Streamer good = cube[A].Service<Streamer>(),
            bad = cube[C].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        to.IsLazy = bad.IsLazy = true;
        bad.Send(B, 10, 1_000);
        bad.Send(B, 11, 0, complete: false);
        cube.AwaitUntil(() => to.Read.ContainsKey(10) && to.Read.ContainsKey(11));
        to.Send(C, 12, 0, complete: false).Write(new byte[5_000]);
        good.Send(B, 1, 30_000_000);
        cube.Advance(TimeSpan.FromMilliseconds(3));
        Assert.Empty(to.Ends);

        new Forger(cube, C, B).Send(body);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal([10, 11, 12], to.Ends.Select(e => (int)e.Label).Order());
        Assert.All(to.Ends, e => Assert.True(e.End == new StreamEnd(StreamEndReason.Malformed), $"{what}: {e}"));
        Assert.Equal((10ul, new StreamEnd(StreamEndReason.Finished)), bad.Ends[0]);
        Assert.Equal([11, 12], bad.Ends.Skip(1).Select(e => (int)e.Label).Order());
        Assert.All(bad.Ends.Skip(1), e => Assert.Equal(StreamEndReason.PeerLost, e.End.Reason));

        to.Awake();
        bad.Awake();
        bad.Send(B, 13, 5_000);
        cube.AwaitUntil(() => good.Ends.Count == 1 && bad.Ends.Count == 4);
        Assert.Equal(StreamEndReason.Finished, good.Ends[0].End.Reason);
        Assert.Equal((13ul, new StreamEnd(StreamEndReason.Finished)), bad.Ends[3]);
        AssertNothingLeft(cube);
    }

    [Fact]
    public void What_means_nothing_ends_nothing_whoever_sends_it()
    {
        using TestCube cube = CubeOf(3, 3, 1);
        Streamer good = cube[A].Service<Streamer>(),
            also = cube[C].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        ulong old = also.Endpoint.Run;
        also.Send(B, 10, 10_000);
        cube.AwaitUntil(() => also.Ends.Count == 1);
        cube.Kill(C);
        cube.Revive(C);
        cube.AwaitConverged();
        also = cube[C].Service<Streamer>();
        Assert.NotEqual(old, also.Endpoint.Run);
        good.Send(B, 1, 20_000_000);
        also.Send(B, 11, 20_000_000);
        cube.Advance(TimeSpan.FromMilliseconds(2));

        var forger = new Forger(cube, C, B);
        uint peerRun = (uint)to.Endpoint.Run;
        byte[] data = Forger.Frames((ref FrameWriter w) => w.Data(0, 0, 500, false, Purpose).Fill(0xEE));
        var random = new Random(1);
        for (int i = 0; i < 2_000; i++)
        {
            var header = new StreamHeader
            {
                Run = also.Endpoint.Run,
                PeerRun = peerRun,
                Connection = 1,
                Packet = 50_000 + (uint)i,
                Kind = StreamPacketKind.Frames,
                Path = new PathWord(PathWord.Routed, fromOpener: true),
            };
            byte[] body = data;
            switch (i % 14)
            {
                case 0: // the run before this one
                    (header.Run, header.Packet) = (old, (uint)random.Next(50));
                    break;
                case 1: // for the run before the receiver's
                    (header.PeerRun, header.Connection) = (peerRun - 1, 2);
                    break;
                case 2: // a connection that is none
                    header.Connection = (uint)random.Next(2, 1 << 20);
                    break;
                case 3: // a welcome that nobody asked for
                    (header.Kind, header.Connection) = (StreamPacketKind.Welcome, (uint)random.Next(1, 9));
                    break;
                case 4: // a welcome of another run
                    (header.Kind, header.Run) = (StreamPacketKind.Welcome, old);
                    break;
                case 5: // closes what is none, or is another's
                    (header.Kind, header.Connection) = (StreamPacketKind.Close, (uint)random.Next(2, 9));
                    break;
                case 6: // closes what an earlier run of the receiver had
                    (header.Kind, header.PeerRun) = (StreamPacketKind.Close, peerRun + 1);
                    break;
                case 7: // closes what the receiver has opened, which is none
                    (header.Kind, header.Path) = (StreamPacketKind.Close, new PathWord(PathWord.Routed, false));
                    break;
                case 8: // kinds that are none
                    header.Kind = (StreamPacketKind)random.Next(21, 256);
                    break;
                case 9: // greets for what is none
                    (header.Kind, header.Connection) = (StreamPacketKind.Hello, (uint)random.Next(1 << 20));
                    body = [9, 0, 0, 0, 1, 0];
                    break;
                case 10: // no link, no connection
                    header.Path = new PathWord(6, fromOpener: true);
                    header.Connection = (uint)random.Next(2);
                    break;
                case 11: // greets as the run before this one
                    (header.Kind, header.Run, header.PeerRun) = (StreamPacketKind.Hello, old, 0);
                    body = [0, 0, 0, 0, 1, 0];
                    break;
                case 12: // closes as the run before this one
                    (header.Kind, header.Run) = (StreamPacketKind.Close, old);
                    break;
                default: // a mark on what is not numbered
                    (header.Kind, header.Marked, body) = (StreamPacketKind.Acks, 1, [6]);
                    break;
            }

            forger.Send(header, body);
            cube.Advance(TimeSpan.FromMicroseconds(20));
        }

        Assert.All(to.Ends, e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));
        cube.AwaitUntil(() => good.Ends.Count == 1 && also.Ends.Count == 1);
        Assert.Equal(StreamEndReason.Finished, good.Ends[0].End.Reason);
        Assert.Equal(StreamEndReason.Finished, also.Ends[0].End.Reason);
        Assert.Equal((0L, 3), (to.Wrong, to.Whole.Count));
        AssertNothingLeft(cube);
    }

    [Fact]
    public void Forged_marks_slow_nobody_but_who_forges_them()
    {
        using TestCube cube = CubeOf(3, 3, 1);
        Streamer from = cube[C].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        ReliableStream stream = from.Send(B, 1, 1L << 40);
        cube[A].Service<Streamer>().Send(B, 2, 1L << 40);
        cube.Advance(TimeSpan.FromMilliseconds(20));
        long before = to.Read[2];

        // The reader tells its writer that all was marked.
        var forger = new Forger(cube, B, C);
        Span<StreamPathReport> reports = new StreamPathReport[7];
        for (int i = 0; i < 150; i++)
        {
            for (int n = stream.CopyPaths(reports) - 1; n >= 0; n--)
            {
                if (reports[n] is { Link: { } link, Packets: > 0 } report)
                {
                    int path = (int)link;
                    uint marks = i % 2 == 0 ? (uint)report.Packets : uint.MaxValue / 2;
                    byte[] body = Forger.Frames(
                        (ref FrameWriter w) =>
                        {
                            w.Ack(path, 0, 0, marks, 1);
                            w.Range(0, 1);
                        }
                    );
                    forger.Send(
                        new StreamHeader
                        {
                            Run = to.Endpoint.Run,
                            PeerRun = (uint)from.Endpoint.Run,
                            Connection = 1,
                            Kind = StreamPacketKind.Acks,
                            Path = new PathWord(PathWord.Routed, fromOpener: false),
                            Marked = 1,
                        },
                        body
                    );
                }
            }

            cube.Advance(TimeSpan.FromMicroseconds(200));
        }

        Assert.Empty(from.Ends);
        Assert.True(to.Read[2] - before > 6_000_000, $"{to.Read[2] - before} bytes of the other");
        cube.Advance(TimeSpan.FromMilliseconds(50));
        before = to.Read[1];
        cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.True(to.Read[1] - before > 2_000_000, $"{to.Read[1] - before} bytes afterwards");
        Assert.Equal(0, to.Wrong);
    }

    [Fact]
    public void Streams_beyond_the_limit_are_refused_and_far_too_many_end_their_connection()
    {
        const int Most = 10;
        using var cube = new TestCube(3, 3, 1);
        int made = 0;
        cube.Add(s => new Streamer(s, new StreamOptions { Streams = made++ == cube.Shape.RankOf(B) ? Most : 1 << 20 }));
        Streamer from = cube[C].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        to.IsLazy = true;
        for (ulong label = 0; label < 100; label++)
        {
            from.Send(B, label, 2_000);
        }

        // What is short leaves before it is allowed, so those that are wanted end as soon as the others.
        cube.AwaitUntil(() => from.Ends.Count(e => e.End.Reason == StreamEndReason.Refused) == 100 - Most);
        Assert.Equal(Most, to.Read.Count);
        to.Awake();
        cube.AwaitUntil(() => from.Ends.Count == 100 && to.Endpoint.Streams == 0);
        Assert.Equal(Most, to.Whole.Count);
        Assert.Equal(Most, from.Ends.Count(e => e.End.Reason == StreamEndReason.Finished));

        // Each of its packets opens as many as there is room for, and none hears its refusal.
        to.IsLazy = true;
        cube.Lose = (server, _, packet) => server == B && packet.Service.Value == 0x0778;
        var forger = new Forger(cube, C, B);
        for (uint id = 1_000; to.Endpoint.Connections > 0; )
        {
            forger.Send(
                Forger.Frames(
                    (ref FrameWriter w) =>
                    {
                        while (w.Room > FrameWriter.FirstLength)
                        {
                            w.Data(id += 2, 0, 0, false, Purpose);
                        }
                    }
                )
            );
            cube.Advance(TimeSpan.FromMicroseconds(20));
            Assert.InRange(to.Endpoint.Streams, 0, Most + 4_096);
            Assert.InRange(id, 1_000u, 100_000u);
        }

        Assert.Contains(to.Ends, e => e.End.Reason == StreamEndReason.Malformed);
        cube.Lose = null;
        to.Awake();
        cube.AwaitUntil(() => to.Endpoint.Streams == 0);
        AssertNothingLeft(cube);
    }

    [Fact]
    public void Numbers_of_streams_with_gaps_that_nobody_leaves_are_not_kept_for_ever()
    {
        using TestCube cube = CubeOf(3, 1, 1);
        Streamer from = cube[C].Service<Streamer>(),
            to = cube[B].Service<Streamer>();
        from.Send(B, 1, 0, complete: false);
        cube.AwaitUntil(() => to.Read.Count == 1);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        cube.Lose = (server, _, packet) => server == B && packet.Service.Value == 0x0778;
        var forger = new Forger(cube, C, B);
        uint id = 0;
        while (to.Ends.Count == 0)
        {
            // Each is aborted before it was heard of, and every second is left out.
            forger.Send(
                Forger.Frames(
                    (ref FrameWriter w) =>
                    {
                        while (w.Room >= FrameWriter.ResetLength)
                        {
                            w.Reset(id += 4, ResetWhy.Aborted, 0, 0);
                        }
                    }
                )
            );
            cube.Advance(TimeSpan.FromMicroseconds(100));
            forger.Send(Forger.Frames((ref FrameWriter w) => w.Data(id += 4, 0, 0, true, Purpose)));
            cube.Advance(TimeSpan.FromMicroseconds(100));
            Assert.InRange(id, 0u, 4_000_000u);
        }

        Assert.Equal(StreamEndReason.Malformed, to.Ends[^1].End.Reason);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 32 << 20);
        Assert.Empty(cube.Faults);
    }

    private static TestCube CubeOf(int x, int y, int z) =>
        new TestCube(x, y, z, new SimulatorOptions { MaxFrameLength = 9_014 }).Add(s => new Streamer(s));

    private static void AssertNothingLeft(TestCube cube)
    {
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Empty(cube.Faults);
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            StreamEndpoint<Letter> endpoint = cube[rank].Service<Streamer>().Endpoint;
            Assert.Equal((0, 0L, 0L), (endpoint.Streams, endpoint.SendBytes, endpoint.ReceiveBytes));
        }

        cube.AssertQuiet();
    }
}
