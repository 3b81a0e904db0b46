using CamCube.Capture;
using CamCube.Faults;
using CamCube.Simulator.Seeing;
using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Tests.Seeing;

public sealed class CaptureTests
{
    private static readonly TorusShape Shape = new(3, 1, 1);

    [Fact]
    public void A_frame_is_in_the_file_byte_for_byte_with_the_time_of_its_first_bit()
    {
        byte[] file = Run(
            Shape,
            [(0, Link.XPlus)],
            cube =>
            {
                cube.AdvanceTo(100_000);
                cube.Service<Traffic>(0)
                    .Send(Shape.At(1), number: unchecked((long)0x8877665544332211), body: "hello"u8.ToArray());
                cube.AdvanceTo(200_000);
            }
        );
        var reader = new PcapngReader(file);
        Assert.Equal(("0,0,0 +x", 1_000_000_000), Assert.Single(reader.Interfaces));
        PcapngReader.Frame frame = Assert.Single(reader.Frames, f => f.Service == Traffic.Id);
        Assert.Equal((100_000, 55, false), (frame.Nanos, frame.OriginalLength, frame.IsInbound));

        // To -x of server 1 from +x of server 0; then docs/wire-format.md.
        Assert.Equal(
            "02CC00010001"
                + "02CC00000000"
                + "88B5"
                + "01002900"
                + "000725000008"
                + HopLimit()
                + "0000000000000100"
                + "000000000000"
                + "0000"
                + "1122334455667788"
                + "68656C6C6F",
            Convert.ToHexString(frame.Bytes)
        );

        static string HopLimit()
        {
            ushort hops = new Runtime.ServerOptions().HopLimitFor(Shape);
            return $"{hops & 0xFF:X2}{hops >> 8:X2}";
        }
    }

    [Fact]
    public void Virtual_bytes_count_in_all_lengths_but_are_not_in_the_file()
    {
        byte[] file = Run(
            Shape,
            [(0, Link.XPlus)],
            cube =>
            {
                cube.Service<Traffic>(0).Send(Shape.At(1), virtualBytes: 1_000, number: 7);
                cube.AdvanceTo(200_000);
            }
        );
        PcapngReader.Frame frame = Assert.Single(new PcapngReader(file).Frames, f => f.Service == Traffic.Id);
        Assert.Equal((50, 1_050), (frame.Bytes.Length, frame.OriginalLength));
        Assert.Equal(1_036, BitConverter.ToUInt16(frame.Bytes, 16));
        Assert.Equal(1_032, BitConverter.ToUInt16(frame.Bytes, 20));
    }

    [Fact]
    public void All_that_the_links_counted_is_there_in_order_and_nothing_else_changes()
    {
        var shape = new TorusShape(3, 3, 2);
        long sent = 0;
        ulong hash = 0;
        byte[] first = Run(shape, [], Busy),
            second = Run(shape, [], Busy);
        ulong captured = hash;
        Assert.Equal(first, second);
        var reader = new PcapngReader(first);
        Assert.Equal(18 * 6, reader.Interfaces.Count);
        Assert.Equal(sent, reader.Frames.Count);
        Assert.True(sent > 1_000, $"{sent} frames");
        Assert.All(
            reader.Frames.Zip(reader.Frames.Skip(1)),
            pair => Assert.True(pair.First.Nanos <= pair.Second.Nanos)
        );

        using SimulatedCube plain = Make(shape, new SimulatorOptions());
        Busy(plain);
        Assert.Equal(captured, hash);

        void Busy(SimulatedCube cube)
        {
            for (int rank = 0; rank < shape.Count; rank++)
            {
                cube.Service<Traffic>(rank).Begin();
            }

            cube.AdvanceTo(2_000_000);
            sent = Enumerable
                .Range(0, shape.Count)
                .Sum(rank => cube.StatusOf(rank).Links.Sum(link => link.SentPackets));
            hash = cube.TraceHash;
        }
    }

    [Fact]
    public void Two_threads_write_the_same_capture_the_same_timeline_and_the_same_trace_as_one()
    {
        var shape = new TorusShape(4, 4, 4);
        (byte[] Capture, byte[] Timeline, string[] Steps) one = Seen(1),
            two = Seen(2);
        Assert.Equal(one.Capture, two.Capture);
        Assert.Equal(one.Timeline, two.Timeline);
        Assert.Equal(one.Steps, two.Steps);
        Assert.True(
            one.Capture.Length > 100_000 && one.Timeline.Length > 100_000,
            $"{one.Capture.Length}, {one.Timeline.Length}"
        );
        Assert.True(one.Steps.Length > 3);

        (byte[], byte[], string[]) Seen(int threads)
        {
            MemoryStream frames = new(),
                events = new();
            var trace = new PacketTrace(shape, shape.At(5), 7, id => id.ToString());
            using (var file = new CaptureFile(frames, shape))
            using (var timeline = new Timeline(events, shape, id => id.ToString()))
            {
                SimulatorOptions options = Captured(file, AllLinks(shape));
                options.Threads = threads;
                options.Noted = timeline.Note;
                options.ObserverOf = at => ObserverGroup.Of([timeline.ObserverOf(at), trace.ObserverOf(at)]);
                using SimulatedCube cube = Make(shape, options);
                for (int rank = 0; rank < shape.Count; rank++)
                {
                    cube.Service<Traffic>(rank).Begin();
                }

                for (int i = 1; i <= 5; i++)
                {
                    cube.AdvanceTo(i * 100_000);
                    file.Write();
                    timeline.Write();
                }
            }

            return (frames.ToArray(), events.ToArray(), [.. trace.StepsUntil(500_000).Select(step => step.ToString())]);
        }
    }

    [Fact]
    public void A_capture_is_cut_off_at_its_limit_and_says_when()
    {
        var stream = new MemoryStream();
        using var file = new CaptureFile(stream, Shape, new CaptureOptions { MostFrames = 10, FromNanos = 50_000 });
        using SimulatedCube cube = Make(Shape, Captured(file, [(0, Link.XPlus), (1, Link.XMinus)]));
        cube.Service<Traffic>(0).Begin();
        for (int i = 1; i <= 10; i++)
        {
            cube.AdvanceTo(i * 100_000);
            file.Write();
        }

        file.Dispose();
        List<PcapngReader.Frame> frames = new PcapngReader(stream.ToArray()).Frames;
        Assert.Equal((10, 10L), (frames.Count, file.Frames));
        Assert.True(frames[0].Nanos >= 50_000);
        Assert.True(file.CutOffNanos >= frames[^1].Nanos, $"{file.CutOffNanos}");
    }

    [Fact]
    public void A_server_that_starts_again_and_fault_rules_go_on_in_the_same_interface()
    {
        long before = 0;
        int duplicated = 0;
        byte[] file = Run(
            Shape,
            [(0, Link.XPlus)],
            cube =>
            {
                cube.Service<Traffic>(0).Send(Shape.At(1), number: 1);
                cube.AdvanceTo(100_000);
                cube.Kill(0);
                cube.AdvanceTo(200_000);
                cube.Revive(0);
                cube.Advance(TimeSpan.FromMilliseconds(200));
                before = cube.NowNanos;
                cube.Service<Traffic>(0).SendVia(Link.XPlus, number: 2);
                using (cube.LinkFaults.Add(new PacketDuplication(1)))
                {
                    cube.Service<Traffic>(0).SendVia(Link.XPlus, number: 3);
                    cube.Advance(TimeSpan.FromMilliseconds(1));
                }

                duplicated = (int)cube.LinkFaults.Counts.Duplicated;
                cube.Service<Traffic>(0).SendVia(Link.XPlus, number: 4);
                cube.Advance(TimeSpan.FromMilliseconds(1));
            }
        );
        var reader = new PcapngReader(file);
        Assert.Single(reader.Interfaces);
        Assert.True(duplicated > 0);
        long[] numbers =
        [
            .. reader.Frames.Where(f => f.Service == Traffic.Id).Select(f => BitConverter.ToInt64(f.Bytes, 42)),
        ];
        Assert.Equal([1, 2, 3, 3, 4], numbers);
        Assert.Contains(reader.Frames, f => f.Nanos > before);
    }

    [Fact]
    public void A_link_without_a_cable_cannot_be_captured_and_one_that_is_asked_for_twice_is_one()
    {
        using var file = new CaptureFile(new MemoryStream(), Shape);
        Assert.Throws<ArgumentException>(() => file.LinkOf(Shape.At(0), Link.YPlus, 0));
        Assert.Throws<ArgumentException>(() => file.LinkOf(new Coordinate(3, 0, 0), Link.XPlus, 0));
        Assert.Same(file.LinkOf(Shape.At(0), Link.XPlus, 0), file.LinkOf(Shape.At(0), Link.XPlus, 0));
        Assert.Equal(1, file.LinkCount);
    }

    private static byte[] Run(TorusShape shape, (int Rank, Link Link)[] links, Action<SimulatedCube> drive)
    {
        var stream = new MemoryStream();
        using (var file = new CaptureFile(stream, shape))
        {
            if (links.Length == 0)
            {
                links = AllLinks(shape);
            }

            using SimulatedCube cube = Make(shape, Captured(file, links));
            drive(cube);
        }

        return stream.ToArray();
    }

    private static (int, Link)[] AllLinks(TorusShape shape) =>
        [
            .. Enumerable
                .Range(0, shape.Count)
                .SelectMany(rank => Enumerable.Range(0, 6).Select(link => (rank, (Link)link))),
        ];

    private static SimulatorOptions Captured(CaptureFile file, (int Rank, Link Link)[] links)
    {
        var options = new SimulatorOptions();
        ILookup<Coordinate, CaptureLink> made = links
            .Select(link => file.LinkOf(file.Shape.At(link.Rank), link.Link, options.LinkBitsPerSecond))
            .ToLookup(link => link.Server);
        options.WrapLinks = (server, inner) => new CapturingLinks(inner, made[server]);
        return options;
    }

    private static SimulatedCube Make(TorusShape shape, SimulatorOptions options) =>
        new(shape, [Traffic.Define()], options);
}
