using CamCube.Services.Diagnostics;
using CamCube.Testing;

namespace CamCube.Simulator.Tests;

/// <summary>Traces that nobody of the cube wrote are counted drops.</summary>
public sealed class TraceCodecTests
{
    private static readonly TorusShape Shape = new(3, 4, 5);

    [Fact]
    public void What_is_written_is_read()
    {
        var random = new Random(1);
        for (int run = 0; run < 1_000; run++)
        {
            int hops = random.Next(1, TraceCodec.MostHops + 1);
            byte[] body = new byte[TraceCodec.LengthOf(hops)];
            var head = new TraceHead(true, hops - 1, hops, new ServiceId((ushort)random.Next(1 << 16)), new(2, 3, 4));
            TraceCodec.Write(head, body);
            Assert.True(TraceCodec.TryReadHead(body, Shape, out TraceHead read));
            Assert.Equal(head, read);
            TraceHop[] written = new TraceHop[hops];
            for (int i = 0; i < hops; i++)
            {
                written[i] = new TraceHop(
                    random.Next(60),
                    (Link)random.Next(7),
                    i == hops - 1 ? (TraceVerdict)random.Next(1, 4) : TraceVerdict.Forwarded,
                    random.Next(2) == 1,
                    new LinkSet((byte)random.Next(64)),
                    random.Next(65_536),
                    random.NextInt64()
                );
                TraceCodec.Write(written[i], i, body);
            }

            TraceCodec.Write(head with { Hops = hops }, body);
            Assert.Equal(written, TraceCodec.ReadAnswer(body, Shape));
        }
    }

    [Fact]
    public void Every_hop_count_and_every_length_is_read_or_refused()
    {
        for (int length = 0; length <= TraceCodec.LengthOf(12); length++)
        {
            byte[] body = new byte[length];
            for (int hops = 0; hops <= ushort.MaxValue; hops += hops < 40 ? 1 : 977)
            {
                for (int most = 0; most <= ushort.MaxValue; most += most < 40 ? 1 : 977)
                {
                    if (length >= 16)
                    {
                        TraceCodec.Write(new TraceHead(true, hops, most, default, default), body);
                    }

                    bool isRight = most is > 0 and <= 400 && length == 16 + (16 * most) && hops < most;
                    Assert.Equal(isRight, TraceCodec.TryReadHead(body, Shape, out _));
                }

                int own = length >= 16 ? hops : 0;
                bool answers = own is > 0 and <= 400 && length == 16 + (16 * own);
                Assert.True(TraceCodec.ReadAnswer(body, Shape) is null || answers);
            }
        }
    }

    [Fact]
    public void Forged_traces_are_counted_drops_and_others_still_arrive()
    {
        using var cube = new TestCube(4, 3, 1);
        cube.Add(server => new DiagnosticsService(server, new DiagnosticsOptions()))
            .Add(server => new TraceForger(server));
        cube.AwaitConverged();
        var random = new Random(7);
        for (int i = 0; i < 3_000; i++)
        {
            int length = random.Next(8) == 0 ? random.Next(4_000) : TraceCodec.LengthOf(random.Next(4));
            byte[] body = new byte[length];
            random.NextBytes(body);
            if (length >= 16 && random.Next(2) == 0)
            {
                var head = new TraceHead(
                    random.Next(2) == 0,
                    random.Next(5),
                    random.Next(5),
                    new ServiceId((ushort)random.Next(3)),
                    new((ushort)random.Next(5), (ushort)random.Next(4), 0)
                );
                TraceCodec.Write(head, body);
            }

            var forged = new Forged(
                random.Next(2) == 0 ? DiagnosticsKind.Trace : DiagnosticsKind.Traced,
                body,
                new((ushort)random.Next(4), (ushort)random.Next(3), 0)
            );
            cube.Await(
                cube[0].Gate.CallAsync<TraceForger, Forged, bool>(static (service, what) => service.Send(what), forged)
            );
        }

        CommandResult right = cube.Await(
            cube[0].Gate.RunCommandAsync(CommandCall.Of("diagnostics", "trace", ("to", "2,1,0")))
        );
        Assert.Contains("\"end\":\"arrived\"", right.Text, StringComparison.Ordinal);
        long malformed = Enumerable
            .Range(0, 12)
            .Sum(rank =>
                cube.Cube.StatusOf(rank)
                    .Drops.Where(drop => drop.Reason is DropReason.Malformed or DropReason.Stale)
                    .Sum(drop => drop.Count)
            );
        Assert.InRange(malformed, 1_000, 3_000);
        Assert.All(
            Enumerable.Range(0, 12),
            rank => Assert.All(cube.Cube.StatusOf(rank).Services, service => Assert.Equal(0, service.Faults))
        );
        cube.AssertQuiet();
    }

    private sealed record Forged(DiagnosticsKind Kind, byte[] Body, Coordinate To);

    [CamCubeService(0x7f31, "trace-forger")]
    private sealed class TraceForger(IServer server) : CamCubeService
    {
        public ValueTask<bool> Send(Forged forged)
        {
            if (!server.Packets.TryRent(forged.Body.Length, out Packet? packet))
            {
                return new(false);
            }

            packet.Service = new ServiceId(0x0101);
            packet.HeaderLength = 24;
            packet.Header<DiagnosticsHeader>() = new DiagnosticsHeader { Kind = forged.Kind, Question = 12_345 };
            forged.Body.CopyTo(packet.WritableBody());
            server.Send(packet, forged.To);
            return new(true);
        }

        public override Verdict OnPacket(in HopContext hop, Packet packet) =>
            hop.IsDestination ? Verdict.Consume : Verdict.Forward;
    }
}
