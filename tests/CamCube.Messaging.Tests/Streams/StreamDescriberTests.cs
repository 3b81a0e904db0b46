using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Tests.Streams;

public sealed class StreamDescriberTests
{
    private static readonly StreamDescriber Describer = StreamDescriber.For(typeof(Behind))!;

    [Fact]
    public void Only_headers_with_the_librarys_part_are_described()
    {
        Assert.NotNull(StreamDescriber.For(typeof(Letter)));
        Assert.Null(StreamDescriber.For(typeof(long)));
        Assert.Null(StreamDescriber.For(typeof(string)));
        Assert.Null(StreamDescriber.For(null));
    }

    [Fact]
    public void A_packet_is_described_in_short_words()
    {
        byte[] body = new byte[300];
        FrameWriter writer = new(body);
        writer.Data(4, 65_536, 100, false, new StreamPurpose(1, 0, 0, 0));
        writer.Data(6, 0, 0, true, null);
        writer.Credit(4, 10, 8_192);
        writer.Ping();
        writer.Stop(8, 1);
        byte[] whole = body[..writer.Length];
        Assert.Equal(
            "packet 12 on -y: data 100 B of 4 at 65536, first; data 0 B of 6 at 0, last; credit of 4 to 8192; 2 more",
            Describe(StreamPacketKind.Frames, 3, 0, whole)
        );
        Assert.Equal(
            "packet 12 on base routing: data 100 B of 4 at 65536, first; data 0 B of 6 at 0, last; "
                + "credit of 4 to 8192; 1 more, marked, malformed",
            Describe(StreamPacketKind.Frames, 7, 1, whole[..^1])
        );

        writer = new FrameWriter(body);
        writer.Ack(0, 33, 1, 2, 1);
        writer.Range(0, 3);
        Assert.Equal("ack to 33 on +x, left its path", Describe(StreamPacketKind.Acks, 0x47, 0, body[..writer.Length]));
        writer = new FrameWriter(body);
        writer.Reset(8, ResetWhy.Refused, 0, 0);
        writer.Blocked(9, 12);
        Assert.Equal(
            "packet 12 on +x: reset of 8; blocked 9 at 12",
            Describe(StreamPacketKind.Frames, 0x80, 0, body[..writer.Length])
        );
        Assert.Equal("hello", Describe(StreamPacketKind.Hello, 0x87, 0, new byte[6]));
        Assert.Equal("welcome", Describe(StreamPacketKind.Welcome, 7, 0, []));
        Assert.Equal("close, idle", Describe(StreamPacketKind.Close, 7, 0, []));
    }

    [Fact]
    public void Messages_and_what_is_too_short_are_not_described()
    {
        Assert.Null(Describe((StreamPacketKind)15, 0, 0, [1]));
        Assert.Null(Describer.Describe(new byte[31], [1]));
        Assert.Null(Describer.Describe([], []));
        for (int kind = 16; kind < 256; kind++)
        {
            Assert.NotNull(Describe((StreamPacketKind)kind, (byte)kind, (byte)kind, new byte[kind]));
        }
    }

    private static string? Describe(StreamPacketKind kind, byte path, byte marked, byte[] body)
    {
        var header = new Behind();
        ref StreamHeader part = ref StreamHeader.Of(ref Behind.MessageOf(ref header));
        (part.Packet, part.Kind, part.Path, part.Marked) = (12, kind, new PathWord(path), marked);
        part.Reason = CloseReason.Idle;
        byte[] bytes = new byte[System.Runtime.CompilerServices.Unsafe.SizeOf<Behind>()];
        System.Runtime.InteropServices.MemoryMarshal.Write(bytes, header);
        return Describer.Describe(bytes, body);
    }

    // The library's part need not be the first.
    [System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Sequential, Pack = 4)]
    private struct Behind : IMessageHeader<Behind>
    {
        public ulong Tag;
        public MessageHeader Message;

        public static ref MessageHeader MessageOf(ref Behind header) => ref header.Message;
    }
}
