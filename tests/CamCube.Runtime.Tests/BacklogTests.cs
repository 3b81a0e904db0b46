using CamCube.Runtime.Engine;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>What waits for a link, as services see it.</summary>
public sealed class BacklogTests
{
    [Theory]
    [InlineData(1, 3)]
    [InlineData(2, 12)]
    [InlineData(3, 63)]
    public void Counts_and_order_are_those_of_a_naive_model(int seed, int slots)
    {
        var random = new Random(seed);
        var pool = new PacketPool();
        var queues = new AnyOfQueues();
        var rows = new QueueRow[slots];
        var model = new List<(Packet Packet, int Slot, int Set)>();
        for (int step = 0; step < 30_000; step++)
        {
            int slot = random.Next(slots),
                link = random.Next(Links.Cables);
            if (random.Next(1_000) < (step % 4_000 < 2_000 ? 600 : 400))
            {
                // Few sets and many of the same: lanes grow, and come and go.
                Packet packet = pool.Rent(0);
                packet.VirtualBytes = random.Next(9_000);
                int set = random.Next(3) == 0 ? random.Next(1, 1 << Links.Cables) : 0b11;
                queues.Add(ref rows[slot], slot, packet, set);
                model.Add((packet, slot, set));
            }
            else
            {
                int at = model.FindIndex(m => m.Slot == slot && (m.Set >> link & 1) != 0);
                Packet? taken = queues.Take(ref rows[slot], slot, link, out _);
                Assert.Same(at < 0 ? null : model[at].Packet, taken);
                if (at >= 0)
                {
                    model.RemoveAt(at);
                    pool.Free(taken!, 0);
                }
            }

            if (step % 7 == 0)
            {
                (Packet Packet, int Slot, int Set)[] all = [.. model.Where(m => (m.Set >> link & 1) != 0)];
                (Packet Packet, int Slot, int Set)[] own = [.. all.Where(m => m.Slot == slot)];
                var expected = new Backlog(
                    all.Length,
                    all.Sum(m => (long)m.Packet.WireLength),
                    own.Length,
                    own.Sum(m => (long)m.Packet.WireLength)
                );
                Assert.Equal(expected, queues.BacklogOf(slot, link));
            }
        }

        Assert.Equal(default, queues.BacklogOf(0, (int)Link.Local));
    }

    [Fact]
    public void A_service_sees_its_own_and_what_all_have_for_a_link_and_a_packet_counts_for_each_link_of_its_set()
    {
        Script first = new(),
            second = new();
        using TestCube cube = new TestCube(
            new TorusShape(3, 3, 1),
            new SimulatorOptions { LinkBitsPerSecond = 1_000_000 }
        )
            .Add(first.Define(0x0301, header: 0))
            .Add(second.Define(0x0302, header: 0));
        cube.Advance(TimeSpan.FromMilliseconds(5));
        IServer mine = first[0].Server,
            others = second[0].Server;
        Assert.Equal(default, mine.BacklogOf(Link.XPlus));

        // One on each cable and none waits.
        LinkSet all = (LinkSet)Link.XPlus | Link.XMinus | Link.YPlus | Link.YMinus;
        foreach (Link link in all)
        {
            Send(first[0], link, 1_000);
        }

        Assert.Equal(default, mine.BacklogOf(Link.XPlus));
        Send(first[0], Link.XPlus, 100);
        Send(first[0], (LinkSet)Link.XPlus | Link.YPlus, 200);
        Send(second[0], all, 300);
        Send(second[0], Link.YMinus, 400);
        Assert.Equal(new Backlog(3, 600, 2, 300), mine.BacklogOf(Link.XPlus));
        Assert.Equal(new Backlog(3, 600, 1, 300), others.BacklogOf(Link.XPlus));
        Assert.Equal(new Backlog(2, 500, 1, 200), mine.BacklogOf(Link.YPlus));
        Assert.Equal(new Backlog(2, 700, 0, 0), mine.BacklogOf(Link.YMinus));
        Assert.Equal(new Backlog(1, 300, 0, 0), mine.BacklogOf(Link.XMinus));
        Assert.Equal(default, mine.BacklogOf(Link.Local));

        // What a service leaves behind is nobody's any more.
        cube.Cube.RemoveService(0, new ServiceId(0x0302));
        Assert.Equal(new Backlog(2, 300, 2, 300), mine.BacklogOf(Link.XPlus));
        cube.Advance(TimeSpan.FromMilliseconds(40));
        Assert.Equal(default, mine.BacklogOf(Link.XPlus));
        Assert.Equal(default, others.BacklogOf(Link.XPlus));
    }

    private static void Send(Scripted self, LinkSet links, int length)
    {
        Packet packet = self.Rent();
        packet.VirtualLength = length - packet.WireLength;
        Assert.Equal(SendResult.Accepted, self.Server.SendVia(packet, links));
    }
}
