using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>Paths that carry less than the settings say, for a while or only by hearsay. Sockets are real, time is the
/// test's.</summary>
public sealed class NarrowPathTests
{
    private const int Jumbo = 8_934;
    private static readonly string[] Four = ["10.9.1.1", "10.9.2.1"];
    private static readonly string[] Six = ["fd09:1::1", "fd09:2::1"];

    public static TheoryData<string[], string> Families =>
        new()
        {
            { Four, "9000" },
            { Six, "9000" },
            { Four, "1500" },
            { Six, "1500" },
        };

    [Theory]
    [MemberData(nameof(Families))]
    public void A_detour_over_a_narrower_router_takes_the_full_size_away_and_its_end_gives_it_back(
        string[] machines,
        string mtu
    ) =>
        RoutedPath.Run(path =>
        {
            using PortPair pair = Open(path, machines, mtu);
            int full = pair.Ports[0].MaxFrameLength(0);
            pair.Talk();
            for (int detour = 0; detour < 2; detour++)
            {
                path.Carry(1, 1_300);
                pair.Until(
                    () =>
                    {
                        Full(pair, 0);
                        Full(pair, 1);
                        return pair.News.All(news => news.Count > 0);
                    },
                    "nobody notices",
                    4_000
                );

                // Towards the narrow router, which tells it; and from behind it, where frames only vanish.
                Assert.All(pair.Ports, ports => Assert.Equal(1_514, ports.MaxFrameLength(0)));
                Assert.All(
                    pair.News,
                    news =>
                        Assert.Single(
                            news,
                            n => n.IsFault && n.Text.StartsWith("port +x: packets of " + mtu, StringComparison.Ordinal)
                        )
                );

                // What every link carries still passes, whatever its length.
                AssertArrive(pair, 1_500);
                AssertArrive(pair, 1_300);
                path.Carry(1, RoutedPath.Wide);
                pair.Until(
                    () => pair.News.All(news => news.Count(n => !n.IsFault) == 2),
                    "the full size does not come back",
                    3_000
                );
                Assert.All(pair.Ports, ports => Assert.Equal(full, ports.MaxFrameLength(0)));
                Assert.All(pair.Logs, log => Assert.Equal((0, full), log.Changes.Last(c => c.Port == 0)));
                AssertArrive(pair, full - 14);
                Array.ForEach(pair.News, news => news.Clear());
            }
        });

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Whoever_forges_what_routers_say_of_sizes_achieves_nothing(bool isFour) =>
        RoutedPath.Run(path =>
        {
            string[] machines = isFour ? Four : Six;
            using PortPair pair = Open(path, machines, "9000");
            pair.Talk();
            path.Enter(RoutedPath.Router);
            using var stranger = isFour
                ? new Socket(AddressFamily.InterNetwork, SocketType.Raw, ProtocolType.Icmp)
                : new Socket(AddressFamily.InterNetworkV6, SocketType.Raw, ProtocolType.IcmpV6);
            int lost = 0;
            for (int i = 0; i < 5_000; i++)
            {
                if (i % 50 == 0)
                {
                    byte[] lie = isFour ? Lie4(pair.BasePort) : Lie6(pair.BasePort);
                    stranger.SendTo(lie, new IPEndPoint(IPAddress.Parse(machines[0]), 0));
                }

                int before = pair.Logs[1].Frames.Count(f => f.Frame.Length == Jumbo - 14);
                Full(pair, 0);
                pair.Round();
                pair.Round();
                lost += pair.Logs[1].Frames.Count(f => f.Frame.Length == Jumbo - 14) > before ? 0 : 1;
                pair.Logs[1].Frames.Clear();
            }

            Assert.Equal(Jumbo, pair.Ports[0].MaxFrameLength(0));
            Assert.Equal(0, lost);
            Assert.Empty(pair.News[0]);
        });

    private static PortPair Open(RoutedPath path, string[] machines, string mtu)
    {
        var pair = new PortPair(machines, [("Mtu", mtu)]);
        for (int i = 0; i < 2; i++)
        {
            path.Enter(i);
            pair.Open(i);
        }

        return pair;
    }

    /// <summary>A frame as long as the port allows in one datagram.</summary>
    private static void Full(PortPair pair, int server) =>
        pair.Send(
            server,
            0,
            7,
            pair.Ports[server].MaxFrameLength(0) > 1_514 ? pair.Ports[server].MaxFrameLength(0) - 14 : 1_420
        );

    private static void AssertArrive(PortPair pair, int length)
    {
        for (int server = 0; server < 2; server++)
        {
            pair.Logs[1 - server].Frames.Clear();
            pair.Send(server, 0, 7, length);
            pair.Until(
                () => pair.Logs[1 - server].Frames.Any(f => f.Frame.Length == length),
                $"a frame of {length} bytes of server {server}",
                10
            );
        }
    }

    /// <summary>"Destination unreachable, fragmentation needed, the next hop carries 600 bytes", about a datagram from
    /// machine 0's +x port.</summary>
    private static byte[] Lie4(int basePort)
    {
        byte[] message = new byte[8 + 20 + 8];
        (message[0], message[1]) = (3, 4);
        BinaryPrimitives.WriteUInt16BigEndian(message.AsSpan(6), 600);
        Span<byte> quoted = message.AsSpan(8);
        quoted[0] = 0x45;
        BinaryPrimitives.WriteUInt16BigEndian(quoted[2..], 8_980);
        BinaryPrimitives.WriteUInt16BigEndian(quoted[6..], 0x4000);
        (quoted[8], quoted[9]) = (64, 17);
        IPAddress.Parse(Four[0]).TryWriteBytes(quoted[12..], out _);
        IPAddress.Parse(Four[1]).TryWriteBytes(quoted[16..], out _);
        WriteUdp(quoted[20..], basePort);
        uint sum = 0;
        for (int i = 0; i < message.Length; i += 2)
        {
            sum += BinaryPrimitives.ReadUInt16BigEndian(message.AsSpan(i));
        }

        sum = (sum & 0xFFFF) + (sum >> 16);
        BinaryPrimitives.WriteUInt16BigEndian(message.AsSpan(2), (ushort)~(sum + (sum >> 16)));
        return message;
    }

    /// <summary>"Packet too big, the next hop carries 1,280 bytes". The system fills in the checksum.</summary>
    private static byte[] Lie6(int basePort)
    {
        byte[] message = new byte[8 + 40 + 8];
        message[0] = 2;
        BinaryPrimitives.WriteUInt32BigEndian(message.AsSpan(4), 1_280);
        Span<byte> quoted = message.AsSpan(8);
        quoted[0] = 0x60;
        BinaryPrimitives.WriteUInt16BigEndian(quoted[4..], 8_940);
        (quoted[6], quoted[7]) = (17, 64);
        IPAddress.Parse(Six[0]).TryWriteBytes(quoted[8..], out _);
        IPAddress.Parse(Six[1]).TryWriteBytes(quoted[24..], out _);
        WriteUdp(quoted[40..], basePort);
        return message;
    }

    /// <summary>From machine 0's +x port to machine 1's −x port.</summary>
    private static void WriteUdp(Span<byte> header, int basePort)
    {
        BinaryPrimitives.WriteUInt16BigEndian(header, (ushort)basePort);
        BinaryPrimitives.WriteUInt16BigEndian(header[2..], (ushort)(basePort + 1_001));
        BinaryPrimitives.WriteUInt16BigEndian(header[4..], 8_900);
    }
}
