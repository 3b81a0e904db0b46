using System.Buffers.Binary;
using CamCube.Runtime.Wire;
using FsCheck;
using FsCheck.Fluent;

namespace CamCube.Runtime.Tests;

public sealed class WireFormatTests
{
    private static readonly TorusShape Shape = new(300, 4, 5);
    private static readonly Config Runs = Config.QuickThrowOnFailure.WithMaxTest(500);

    /// <summary>The two frames that docs/wire-format.md shows, byte by byte.</summary>
    private const string ToKey =
        "01 00 29 00 "
        + "00 03 25 00 01 08 14 00 08 07 06 05 04 03 02 01 01 00 02 00 03 00 00 00 "
        + "11 22 33 44 55 66 77 88 68 65 6c 6c 6f";

    private const string ToServer =
        "01 00 1c 00 " + "34 12 18 00 00 00 ff ff 00 00 04 00 03 00 02 01 2b 01 00 00 01 00 00 00";

    [Fact]
    public void A_frame_has_exactly_the_documented_bytes()
    {
        var pool = new PacketPool();
        Packet packet = pool.Rent(Owner);
        packet.Service = new ServiceId(0x0300);
        packet.HopLimit = 20;
        packet.Destination = new Key(0x0102_0304_0506_0708, 0, 0);
        packet.SourceRoute = new Coordinate(1, 2, 3).Packed;
        packet.HeaderLength = 8;
        packet.Header<ulong>() = 0x8877_6655_4433_2211;
        packet.Buffer = pool.RentBody(5);
        (packet.BodyOffset, packet.BodyBytes) = (0, 5);
        "hello"u8.CopyTo(packet.WritableBody());
        Assert.Equal(ToKey, Hex(Encode(packet)));

        packet = pool.Rent(Owner);
        packet.ClearHeader();
        packet.Service = new ServiceId(0x1234);
        packet.HopLimit = 0xFFFF;
        packet.HeaderLength = 0;
        packet.Destination = new Coordinate(0x0102, 3, 4);
        packet.SourceRoute = new Coordinate(299, 0, 1).Packed;
        Assert.Equal(ToServer, Hex(Encode(packet)));
    }

    [Fact]
    public void The_document_shows_the_same_bytes_and_the_constants_are_its_numbers()
    {
        string text = File.ReadAllText(Path.Combine(Root(), "docs", "wire-format.md"));
        foreach (string golden in (string[])[ToKey, ToServer])
        {
            Assert.Contains(golden, text, StringComparison.Ordinal);
        }

        Assert.Contains("`0x88B5`", text, StringComparison.Ordinal);
        Assert.Equal((4, 24, 42), (WireFormat.FrameHeader, WireFormat.PacketHeader, Packet.FrameOverhead));
        Assert.Equal((1, 64), ((int)WireFormat.Version, Packet.MaxHeaderLength));
    }

    [Fact]
    public void Every_packet_comes_back_as_it_was_encoded() =>
        Check.One(Runs, Prop.ForAll(ArbMap.Default.ArbFor<int>(), RoundTrip));

    [Fact]
    public void A_frame_of_several_packets_gives_them_in_order_and_padding_is_ignored()
    {
        Script script = Recording();
        using var server = new BareServer(Shape, 0, script.Define());
        byte[] frame = Frame(
            Bytes(number: 1),
            Bytes(number: 2, body: 100),
            Bytes(number: 3),
            Bytes(number: 4, body: 1)
        );
        Array.Resize(ref frame, frame.Length + 46);
        frame.AsSpan(frame.Length - 46).Fill(0xFF);
        server.Arrive(Link.XPlus, frame);
        Assert.Equal(["1 0", "2 100", "3 0", "4 1"], script.Log);
        Assert.Equal(4, server.Server.Counters.Links[0].ReceivedPackets);
        Assert.Equal(0, server.Server.Counters.Drops.Sum());
        Assert.Equal(0, server.Context.Pool.Outstanding);
    }

    [Fact]
    public void A_packet_that_makes_its_service_throw_costs_what_follows_in_its_frame_nothing()
    {
        Script bad = new()
        {
            Packet = static (Scripted _, in HopContext hop, Packet _) => throw new InvalidOperationException("no"),
        };
        Script good = Recording();
        using var server = new BareServer(Shape, 0, good.Define(), bad.Define(0x0302));
        byte[] thrower = Bytes(number: 2, body: 100);
        Put(thrower, 0, 0x0302);
        byte[] frame = Frame(Bytes(number: 1), thrower, Bytes(number: 3), thrower, Bytes(number: 4, body: 1));
        server.Arrive(Link.XPlus, frame, Frame(Bytes(number: 5)));
        Assert.Equal(["1 0", "3 0", "4 1", "5 0"], good.Log);
        Assert.Equal("no", Assert.Single(server.Faults).Message);
        Assert.Equal(6, server.Server.Counters.Links[0].ReceivedPackets);

        // The second one met the stand-in.
        Assert.Equal(
            (1, 1),
            (server.Server.Counters.DropsOf(DropReason.Fault), server.Server.Counters.DropsOf(DropReason.Closed))
        );
        Assert.Equal(0, server.Context.Pool.Outstanding);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    [InlineData(255)]
    public void Frames_of_another_version_are_dropped_whole_and_counted(byte version)
    {
        Script script = Recording();
        using var server = new BareServer(Shape, 0, script.Define());
        byte[] frame = Frame(Bytes(number: 1), Bytes(number: 2));
        frame[0] = version;
        server.Arrive(Link.XPlus, frame, [version, 0, 0, 0]);
        Assert.Empty(script.Log);
        Assert.Equal(2, server.Server.Counters.DropsOf(DropReason.Version));
        Assert.Equal(0, server.Context.Pool.Outstanding);
    }

    public static TheoryData<string, int, DropReason> Lies =>
        new()
        {
            { "frame of no bytes", 0, DropReason.Malformed },
            { "frame of three bytes", 0, DropReason.Malformed },
            { "frame flags", 0, DropReason.Malformed },
            { "frame length 0", 0, DropReason.Malformed },
            { "frame length below a packet", 0, DropReason.Malformed },
            { "frame length beyond the frame", 0, DropReason.Malformed },
            { "frame length in the middle of the second packet", 1, DropReason.Malformed },
            { "second packet of length 0", 1, DropReason.Malformed },
            { "second packet shorter than its header", 1, DropReason.Malformed },
            { "second packet longer than the frame", 1, DropReason.Malformed },
            { "service header longer than the packet", 1, DropReason.Malformed },
            { "service header of 65 bytes", 1, DropReason.Malformed },
            { "unknown packet flag", 1, DropReason.Malformed },
            { "source outside the cube", 1, DropReason.Malformed },
            { "destination outside the cube", 1, DropReason.Malformed },
            { "destination with bits that no coordinate has", 1, DropReason.Malformed },
            { "service header shorter than the service's", 1, DropReason.Malformed },
            { "unknown service", 1, DropReason.UnknownService },
            { "hop limit 0", 1, DropReason.HopLimit },
        };

    [Theory]
    [MemberData(nameof(Lies))]
    public void A_frame_that_lies_is_dropped_from_there_on_and_counted_once(
        string lie,
        int delivered,
        DropReason reason
    )
    {
        Script script = Recording();
        using var server = new BareServer(Shape, 0, script.Define());
        byte[] frame = Frame(Bytes(number: 1, body: 10), Bytes(number: 2, body: 100));
        int second = 4 + 24 + 8 + 10;
        switch (lie)
        {
            case "frame of no bytes":
                frame = [];
                break;
            case "frame of three bytes":
                frame = frame[..3];
                break;
            case "frame flags":
                frame[1] = 1;
                break;
            case "frame length 0":
                Put(frame, 2, 0);
                break;
            case "frame length below a packet":
                Put(frame, 2, 27);
                break;
            case "frame length beyond the frame":
                Put(frame, 2, frame.Length + 1);
                break;
            case "frame length in the middle of the second packet":
                Put(frame, 2, frame.Length - 1);
                break;
            case "second packet of length 0":
                Put(frame, second + 2, 0);
                break;
            case "second packet shorter than its header":
                Put(frame, second + 2, 23);
                break;
            case "second packet longer than the frame":
                Put(frame, second + 2, 24 + 8 + 101);
                break;
            case "service header longer than the packet":
                (frame[second + 5], frame[second + 2]) = (64, 80);
                break;
            case "service header of 65 bytes":
                frame[second + 5] = 65;
                break;
            case "unknown packet flag":
                frame[second + 4] = 2;
                break;
            case "source outside the cube":
                Put(frame, second + 16, Shape.X);
                break;
            case "destination outside the cube":
                Put(frame, second + 14, 300);
                break;
            case "destination with bits that no coordinate has":
                Put(frame, second + 8, 1);
                break;
            case "service header shorter than the service's":
                frame[second + 5] = 7;
                break;
            case "unknown service":
                Put(frame, second, 0x7777);
                break;
            case "hop limit 0":
                Put(frame, second + 6, 0);
                break;
        }

        server.Arrive(Link.XPlus, frame);
        Assert.Equal(delivered, script.Log.Count);
        Assert.Equal(1, server.Server.Counters.DropsOf(reason));
        Assert.Equal(1, server.Server.Counters.Drops.Sum());
        Assert.Equal(0, server.Context.Pool.Outstanding);
        server.Arrive(Link.XPlus, Frame(Bytes(number: 9)));
        Assert.Equal("9 0", script.Log[^1]);
    }

    [Fact]
    public void Encode_refuses_a_span_that_is_too_small_and_leaves_the_packet_alone()
    {
        using var server = new BareServer(Shape, 0);
        Packet packet = server.Context.Pool.Rent(Owner);
        packet.HeaderLength = 8;
        Assert.Throws<ArgumentException>(() => server.Port.Encode(packet, new byte[35]));
        Assert.Equal(36, server.Port.Encode(packet, new byte[36]));
        Assert.Equal(0, server.Context.Pool.Outstanding);
    }

    /// <summary>Bytes of a packet for server 0 of the shape.</summary>
    internal static byte[] Bytes(long number, int body = 0, ushort service = 0x0300, ushort hopLimit = 10)
    {
        byte[] bytes = new byte[24 + 8 + body];
        Put(bytes, 0, service);
        Put(bytes, 2, bytes.Length);
        bytes[5] = 8;
        Put(bytes, 6, hopLimit);
        Put(bytes, 16, 1);
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(24), number);
        return bytes;
    }

    internal static byte[] Frame(params byte[][] packets)
    {
        byte[] frame = [1, 0, 0, 0, .. packets.SelectMany(p => p)];
        Put(frame, 2, frame.Length);
        return frame;
    }

    private static uint Owner => OwnerWords.Make(PacketState.Held, 1, 0);

    private static void Put(byte[] bytes, int at, int value) =>
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(at), (ushort)value);

    private static byte[] Encode(Packet packet)
    {
        byte[] frame = new byte[WireFormat.FrameLengthOf(packet)];
        Assert.Equal(frame.Length, WireFormat.Encode(packet, frame));
        return frame;
    }

    private static bool RoundTrip(int seed)
    {
        var random = new Random(seed);
        var pool = new PacketPool();
        Packet packet = pool.Rent(Owner);
        packet.Service = new ServiceId((ushort)random.Next(65_536));
        packet.HopLimit = (ushort)random.Next(65_536);
        packet.Destination =
            random.Next(2) == 0 ? new Key((ulong)random.NextInt64(), 0, 0) : Shape.At(random.Next(Shape.Count));
        packet.SourceRoute = Shape.At(random.Next(Shape.Count)).Packed;
        packet.HeaderLength = random.Next(65);
        random.NextBytes(packet.HeaderSpan);
        int body = random.Next(4) == 0 ? 0 : random.Next(8_900);
        packet.Buffer = body > 0 ? pool.RentBody(body) : null;
        (packet.BodyOffset, packet.BodyBytes) = (0, body);
        random.NextBytes(packet.WritableBody());

        byte[] frame = Encode(packet);
        Assert.Equal(DropReason.None, WireFormat.CheckFrame(frame, out int length));
        Assert.Equal(frame.Length, length);
        ReadOnlySpan<byte> bytes = frame.AsSpan(4);
        Assert.Equal(bytes.Length, WireFormat.PacketLengthAt(bytes));
        Assert.True(WireFormat.AddressesFit(bytes, Shape));
        Packet copy = pool.Rent(Owner);
        copy.Buffer = body > 0 ? pool.RentBody(WireFormat.BodyLengthOf(bytes)) : null;
        copy.BodyBytes = body;
        WireFormat.Decode(bytes, copy);
        Assert.Equal(
            (packet.Service, packet.HopLimit, packet.Destination),
            (copy.Service, copy.HopLimit, copy.Destination)
        );
        Assert.Equal(packet.Source, copy.Source);
        Assert.True(packet.HeaderSpan.SequenceEqual(copy.HeaderSpan));
        Assert.True(packet.Body.SequenceEqual(copy.Body));
        return true;
    }

    private static Script Recording()
    {
        Script script = new();
        script.Packet = (Scripted _, in HopContext hop, Packet packet) =>
        {
            script.Log.Add($"{packet.Header<long>()} {packet.BodyLength}");
            return Verdict.Consume;
        };
        return script;
    }

    private static string Hex(byte[] bytes) => string.Join(' ', bytes.Select(b => b.ToString("x2", null)));

    private static string Root()
    {
        string folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "CamCube.sln")))
        {
            folder = Path.GetDirectoryName(folder)!;
        }

        return folder;
    }
}
