using CamCube.Runtime.Wire;
using CamCube.Tests;

namespace CamCube.Runtime.Tests;

public sealed class WireFuzzTests
{
    private static readonly TorusShape Shape = new(3, 4, 5);

    [Theory]
    [InlineData(9_014)]
    [InlineData(1_514)]
    public void No_frame_throws_leaks_or_goes_uncounted(int largestFrame) =>
        FuzzInputs.Run((random, count) => Fuzz(random, count, largestFrame));

    [Theory]
    [InlineData(1)]
    [InlineData(20_260_101)]
    public void No_frame_of_these_seeds_throws_leaks_or_goes_uncounted(int seed) =>
        Fuzz(new Random(seed), 50_000, 9_014);

    private static void Fuzz(Random random, int count, int largestFrame)
    {
        Script a = new() { Packet = Any(random) },
            b = new() { Packet = Any(random) };
        using var server = new BareServer(Shape, 31, a.Define(0x0300), b.Define(0x0301, header: 0))
        {
            KeepsFrames = false,
            LargestFrame = largestFrame,
        };
        var corpus = Corpus(random);
        long[] drops = server.Server.Counters.Drops;
        for (int i = 0; i < count; i++)
        {
            byte[] frame = Next(random, corpus);
            long received = server.Server.Counters.Links.Sum(l => l.ReceivedPackets),
                dropped = drops.Sum();
            server.Arrive((Link)random.Next(6), frame);
            Assert.True(
                server.Server.Counters.Links.Sum(l => l.ReceivedPackets) > received || drops.Sum() == dropped + 1,
                $"frame {i} came to nothing: {Convert.ToHexString(frame)}"
            );
            Assert.True(server.Faults.Count == 0, $"frame {i}: {server.Faults.FirstOrDefault()}");
            if (i % 64 == 0)
            {
                Assert.True(
                    server.Context.Pool.Outstanding == 0,
                    $"frame {i}: {server.Context.Pool.DescribeOutstanding()}"
                );
                Assert.Equal((0, 0), (server.Server.PacketsInUse, server.Context.Pool.OutstandingBodies));
            }
        }

        foreach (
            DropReason reason in (DropReason[])
                [
                    DropReason.Malformed,
                    DropReason.Version,
                    DropReason.UnknownService,
                    DropReason.HopLimit,
                    DropReason.ForwardedAtDestination,
                ]
        )
        {
            Assert.True(
                server.Server.Counters.DropsOf(reason) > 10,
                $"{reason}: {server.Server.Counters.DropsOf(reason)}"
            );
        }

        Assert.True(a[31].Arrived > 1_000 && b[31].Arrived > 1_000, $"{a[31].Arrived} {b[31].Arrived}");
        Assert.True(server.Server.Counters.Links.Sum(l => l.SentPackets) > 1_000);
    }

    private static Script.PacketAct Any(Random random) =>
        (Scripted self, in HopContext hop, Packet packet) =>
        {
            _ = packet.Destination;
            Assert.True(self.Server.Shape.Contains(packet.Source));
            if (packet.BodyLength > 0)
            {
                packet.WritableBody()[^1]++;
            }

            switch (random.Next(7))
            {
                case 0:
                    return Verdict.Consume;
                case 1:
                    return Verdict.Via(new LinkSet((byte)random.Next(128)));
                case 2:
                    return Verdict.ViaAll(new LinkSet((byte)random.Next(128)));
                case 3:
                    packet.TurnRound(self.Server.Coordinate, (ushort)random.Next(5));
                    return Verdict.Forward;
                case 4:
                    self.Server.Send(packet, packet.Source);
                    return Verdict.Taken;
                default:
                    return Verdict.Forward;
            }
        };

    private static List<byte[]> Corpus(Random random)
    {
        var corpus = new List<byte[]>();
        for (int i = 0; i < 200; i++)
        {
            byte[][] packets =
            [
                .. Enumerable
                    .Range(0, random.Next(1, 5))
                    .Select(_ =>
                    {
                        ushort service = random.Next(8) switch
                        {
                            0 => 0x0001,
                            1 => 0x0555,
                            2 or 3 => 0x0301,
                            _ => 0x0300,
                        };
                        int body = random.Next(4) == 0 ? random.Length(9_500) : random.Next(120);
                        byte[] packet = WireFormatTests.Bytes(
                            random.NextInt64(),
                            body,
                            service,
                            (ushort)random.Next(6)
                        );
                        packet[4] = (byte)random.Next(2);
                        if (packet[4] == 1)
                        {
                            random.NextBytes(packet.AsSpan(8, 8));
                        }
                        else
                        {
                            Coordinate to = Shape.At(random.Next(6) == 0 ? 31 : random.Next(Shape.Count));
                            BitConverter.TryWriteBytes(packet.AsSpan(8), to.Packed);
                        }

                        return packet;
                    }),
            ];
            corpus.Add(WireFormatTests.Frame(packets));
        }

        return corpus;
    }

    /// <summary>A frame of any length, and lengths in it over their whole range: those of the frame, of packets, of
    /// their headers.</summary>
    private static byte[] WithLengths(Random random, List<byte[]> corpus)
    {
        byte[] frame = corpus[random.Next(corpus.Count)];
        frame =
            random.Next(3) == 0
                ? random.Bend(frame, corpus[random.Next(corpus.Count)], WireFormat.MaxFrame)
                : [.. frame];
        if (random.Next(3) == 0)
        {
            Array.Resize(ref frame, random.Length(WireFormat.MaxFrame));
        }

        if (frame.Length > WireFormat.FrameHeader + WireFormat.PacketHeader)
        {
            if (random.Next(2) == 0)
            {
                // The frame says how long it is, so that what follows is looked at.
                BitConverter.TryWriteBytes(frame.AsSpan(2), (ushort)frame.Length);
            }

            int at = WireFormat.FrameHeader;
            if (random.Next(3) == 0)
            {
                random.DrawNumber(frame.AsSpan(random.Next(2) == 0 ? 2 : at + 2, 2));
            }

            if (random.Next(3) == 0)
            {
                // One packet that fills the frame.
                BitConverter.TryWriteBytes(frame.AsSpan(at + 2), (ushort)(frame.Length - at));
            }

            if (random.Next(3) == 0)
            {
                random.DrawNumber(frame.AsSpan(at + 5, 1));
            }
        }

        return frame;
    }

    private static byte[] Next(Random random, List<byte[]> corpus)
    {
        if (random.Next(4) == 0)
        {
            return WithLengths(random, corpus);
        }

        if (random.Next(4) == 0)
        {
            byte[] noise = new byte[random.Next(200)];
            random.NextBytes(noise);
            if (noise.Length > 4 && random.Next(2) == 0)
            {
                (noise[0], noise[1], noise[2], noise[3]) = (1, 0, (byte)noise.Length, 0);
            }

            return noise;
        }

        byte[] frame = [.. corpus[random.Next(corpus.Count)]];
        for (int changes = random.Next(4); changes > 0; changes--)
        {
            switch (random.Next(4))
            {
                case 0:
                    frame[random.Next(frame.Length)] = (byte)random.Next(256);
                    break;
                case 1:
                    frame[random.Next(frame.Length)] ^= (byte)(1 << random.Next(8));
                    break;
                case 2:
                    // A field of the first packet or of the frame.
                    int value = random.Next(3) switch
                    {
                        0 => 0,
                        1 => 255,
                        _ => random.Next(256),
                    };
                    frame[random.Next(Math.Min(frame.Length, 28))] = (byte)value;
                    break;
                default:
                    frame = frame[..random.Next(1, frame.Length + 1)];
                    break;
            }
        }

        return frame;
    }
}
