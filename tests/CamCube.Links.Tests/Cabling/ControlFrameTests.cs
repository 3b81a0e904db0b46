namespace CamCube.Cabling.Tests;

/// <summary>The bytes of docs/cabling.md, one after the other.</summary>
public sealed class ControlFrameTests
{
    private static readonly ControlHeader Header = new(
        ControlKind.Hello,
        1,
        1,
        1,
        (int)Link.YMinus,
        new ServerId(0x4f2c_9e01_0203_0405),
        0x1122_3344_5566_7788,
        "cube",
        "eth4"
    );

    private const string HeaderBytes =
        "01 01 01 03 {0} 05 04 03 02 01 9e 2c 4f 88 77 66 55 44 33 22 11 04 63 75 62 65 04 65 74 68 34";

    [Fact]
    public void A_hello_has_the_documented_bytes()
    {
        var hello = new Hello
        {
            PortMaxFrame = 9_014,
            MaxFrame = 1_514,
            Shape = (3, 4, 5, true),
            Coordinate = new Coordinate(2, 1, 0),
            Map = new MapEpoch(0x0000_019a_0102_0304, new ServerId(7)),
            IsAdmitting = true,
            Echo = (new ServerId(0xaa), 0xbb, (int)Link.YPlus),
            KnownReports = 60,
            Digest = 0xfedc_ba98_7654_3210,
        };
        Span<byte> buffer = stackalloc byte[ControlHeader.LongestFrame];
        ControlWriter writer = ControlHeader.Begin(buffer, Header);
        hello.Write(ref writer);

        AssertFrame(
            buffer[..ControlHeader.End(writer)],
            1,
            "60 00",
            "5d 36 23 ea 05 03 00 04 00 05 00 02 00 01 00 00 00 04 03 02 01 9a 01 00 00 07 00 00 00 00 00 00 00 "
                + "aa 00 00 00 00 00 00 00 bb 00 00 00 00 00 00 00 02 3c 00 00 00 10 32 54 76 98 ba dc fe"
        );
        Assert.True(ControlHeader.TryRead(buffer[..writer.Length], out ControlHeader header, out ControlReader rest));
        Assert.Equal(Header, header);
        Assert.Equal(hello, Hello.TryRead(ref rest));
    }

    [Fact]
    public void A_report_has_the_documented_bytes()
    {
        ServerReport report = new ServerReport
        {
            Server = new ServerId(0x4f2c_9e01_0203_0405),
            Nonce = 1,
            Sequence = 2,
            BootMillis = 3,
            Coordinate = null,
            IsFixed = false,
            IsRefusing = true,
            Map = null,
            Ports =
            [
                new PortReport(
                    "eth1",
                    Link.XPlus,
                    true,
                    1_514,
                    true,
                    CablingHeard.Server,
                    true,
                    new ServerId(9),
                    Link.XMinus,
                    "p2",
                    ""
                ),
                new PortReport(
                    "e",
                    null,
                    false,
                    0,
                    false,
                    CablingHeard.OtherCluster,
                    false,
                    new ServerId(8),
                    Link.ZPlus,
                    "q",
                    "foo"
                ),
            ],
        }.Encoded();

        Assert.Equal(
            "05 04 03 02 01 9e 2c 4f 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 08 "
                + "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 "
                + "00 07 ea 05 01 09 00 00 00 00 00 00 00 01 04 65 74 68 31 02 70 32 00 "
                + "ff 00 00 00 02 08 00 00 00 00 00 00 00 04 01 65 01 71 03 66 6f 6f",
            Hex(report.Bytes)
        );
        var reader = new ControlReader(report.Bytes);
        ServerReport? read = ServerReport.TryRead(ref reader);
        Assert.NotNull(read);
        Assert.Equal(report.Bytes, read.Bytes);
        Assert.Equal(report.Ports, read.Ports);
    }

    [Fact]
    public void Everything_fits_the_smallest_Ethernet_frame_whatever_the_names()
    {
        string longName = new('n', 100);
        var port = new PortReport(
            longName,
            Link.XPlus,
            true,
            1_514,
            true,
            CablingHeard.Server,
            true,
            default,
            default,
            longName,
            longName
        );
        ServerReport report = new ServerReport
        {
            Server = default,
            Nonce = 0,
            BootMillis = 0,
            Coordinate = null,
            IsFixed = false,
            IsRefusing = false,
            Map = null,
            Ports =
            [
                .. Enumerable
                    .Range(0, 100)
                    .Select(i => i < 6 ? port with { Link = (Link)i } : port with { Link = null }),
            ],
        }.Encoded();
        byte[] buffer = new byte[ControlHeader.LongestFrame];
        ControlWriter writer = ControlHeader.Begin(buffer, Header with { ClusterId = longName, Port = longName });
        writer.Bytes(report.Bytes);

        Assert.True(ControlHeader.TryRead(buffer.AsSpan(0, ControlHeader.End(writer)), out _, out ControlReader rest));
        ServerReport? read = ServerReport.TryRead(ref rest);
        Assert.NotNull(read);
        Assert.True(read.Ports.Count >= Links.Cables);
        Assert.Equal(new string('n', 32), read.Ports[5].Name);
    }

    [Fact]
    public void A_newer_version_is_known_by_its_header_whatever_follows()
    {
        byte[] buffer = new byte[200];
        ControlWriter writer = ControlHeader.Begin(
            buffer,
            Header with
            {
                Version = 2,
                LowestWire = 2,
                HighestWire = 3,
            }
        );
        writer.UInt64(ulong.MaxValue);

        Assert.True(
            ControlHeader.TryRead(buffer.AsSpan(0, ControlHeader.End(writer)), out ControlHeader header, out _)
        );
        Assert.False(header.IsOurVersion);
        Assert.Equal(
            (2, 2, 3, "cube", "eth4"),
            (header.Version, header.LowestWire, header.HighestWire, header.ClusterId, header.Port)
        );
    }

    /// <summary>A frame: 0, its kind, the header with its length, the rest.</summary>
    private static void AssertFrame(ReadOnlySpan<byte> frame, int kind, string length, string rest) =>
        Assert.Equal($"00 0{kind} {HeaderBytes.Replace("{0}", length, StringComparison.Ordinal)} {rest}", Hex(frame));

    private static string Hex(ReadOnlySpan<byte> bytes) =>
        string.Join(' ', bytes.ToArray().Select(b => b.ToString("x2")));
}
