using CamCube.Testing;

namespace CamCube.Runtime.Tests;

[Collection(nameof(Alone))]
public sealed class PacketPathTests
{
    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(2, 1, 1)]
    [InlineData(3, 3, 3)]
    [InlineData(2, 3, 4)]
    [InlineData(1, 1, 6)]
    public void Every_pair_is_reached_in_the_shortest_number_of_hops(int x, int y, int z)
    {
        using var cube = new TestCube(x, y, z).Add(s => new Probe(s));
        TorusShape shape = cube.Shape;
        foreach (int from in Enumerable.Range(0, shape.Count))
        {
            foreach (int to in Enumerable.Range(0, shape.Count))
            {
                Assert.Equal(SendResult.Accepted, cube[from].Service<Probe>().Launch(shape.At(to)));
                cube.Advance(TimeSpan.FromMilliseconds(1));
                Probe probe = cube[to].Service<Probe>();
                Assert.Equal(1, probe.Ended);
                Assert.Equal(shape.Distance(shape.At(from), shape.At(to)), probe.LastHops);
                probe.Ended = 0;
            }
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Forwarding_allocates_nothing_in_steady_state()
    {
        using var cube = new TestCube(2, 1, 1).Add(s => new Bouncer(s));
        for (int i = 0; i < 64; i++)
        {
            cube[0].Service<Bouncer>().Launch(cube.Shape.At(1));
        }

        cube.Advance(TimeSpan.FromMilliseconds(50));

        // A collection that another thread begins takes this thread's piece of the heap away, and what was left of it
        // counts as allocated: of several stretches the least is what packets cost.
        long least = long.MaxValue;
        for (int stretch = 0; stretch < 4; stretch++)
        {
            long hops = cube.Cube.PacketHops,
                before = GC.GetAllocatedBytesForCurrentThread();
            cube.Advance(TimeSpan.FromMilliseconds(50));
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
            Assert.True(cube.Cube.PacketHops - hops > 10_000, $"{cube.Cube.PacketHops - hops} hops");
        }

        Assert.Equal(0, least);
    }

    [CamCubeService(0x0201, "probe", Header = typeof(int))]
    private sealed class Probe(IServer server) : CamCubeService
    {
        public int Ended { get; set; }

        public int LastHops { get; private set; }

        public SendResult Launch(Destination to) =>
            server.Packets.TryRent(10, out Packet? packet) ? server.Send(packet, to) : SendResult.QueueFull;

        public override Verdict OnPacket(in HopContext hop, Packet packet)
        {
            packet.Header<int>() += hop.ArrivedOn == Link.Local ? 0 : 1;
            if (!hop.IsDestination)
            {
                return Verdict.Forward;
            }

            (Ended, LastHops) = (Ended + 1, packet.Header<int>());
            return Verdict.Consume;
        }
    }

    [CamCubeService(0x0202, "bouncer")]
    private sealed class Bouncer(IServer server) : CamCubeService
    {
        public void Launch(Coordinate to)
        {
            if (server.Packets.TryRent(0, out Packet? packet))
            {
                server.Send(packet, to);
            }
        }

        public override Verdict OnPacket(in HopContext hop, Packet packet)
        {
            if (hop.IsDestination)
            {
                packet.TurnRound(server.Coordinate, 100);
            }

            return Verdict.Forward;
        }
    }
}
