namespace CamCube.Services.Tunnel.Tests;

/// <summary>What passes through a server whose links are full.</summary>
public sealed class RelayTests
{
    private const int Length = 8_900;
    private static readonly TimeSpan Step = TimeSpan.FromMicroseconds(50);
    private static readonly TunnelOptions OnePath = new() { Paths = TunnelPaths.One };

    [Fact]
    public void Who_passes_through_and_who_begins_here_get_the_same_and_a_ping_of_another_does_not_wait()
    {
        // 0, 1 and 2 send to 4 by the same link at the end, each more than it carries; 3 only asks now and then.
        using var cube = new TunnelCube(9, 1, 1, OnePath);
        Coordinate to = cube.Shape.At(4);
        int[] came = new int[3];
        long sentNanos = 0,
            longest = 0;
        int pings = 0;
        cube.CardOf(to).Received = frame =>
        {
            int from = MachineFrame.Read4(frame).Flow;
            if (from < 3)
            {
                came[from]++;
                return;
            }

            pings++;
            longest = Math.Max(longest, cube.Cube.NowNanos - sentNanos);
        };
        for (int step = 0; step < 12_000; step++)
        {
            if (step == 2_000)
            {
                (came[0], came[1], came[2], pings, longest) = (0, 0, 0, 0, 0);
            }

            for (int from = 0; from < 3; from++)
            {
                Send(cube, from, to, from, step);
            }

            if (step % 200 == 100)
            {
                sentNanos = cube.Cube.NowNanos;
                byte[] ping = MachineFrame.Datagram4(cube.Addresses, cube.Shape.At(3), to, 3, step);
                cube.CardOf(3).Send(ping);
            }

            cube.Cube.Advance(Step);
        }

        // A link of 1 Gbit/s carries about 6,950 of them in half a second.
        Assert.InRange(came.Sum(), 6_700, 7_000);
        Assert.All(came, one => Assert.InRange(one, 0.9 * came.Sum() / 3, 1.1 * came.Sum() / 3));
        Assert.Equal(50, pings);
        Assert.InRange(longest, 0, 500_000);
        Assert.Equal(0, cube[to].Counters.Late.Value);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void What_waits_for_a_cable_that_is_cut_goes_another_way()
    {
        using var cube = new TunnelCube(5, 1, 1, new TunnelOptions { Paths = TunnelPaths.One, QueuePackets = 4_096 });
        Coordinate to = cube.Shape.At(2);
        HashSet<int> came = [];
        cube.CardOf(to).Received = frame =>
        {
            (ushort from, int number) = MachineFrame.Read4(frame);
            Assert.True(from == 1 || came.Add(number));
        };
        int waited = 0;
        for (int step = 0; step < 1_000; step++)
        {
            // 1 has more of its own than the link carries, so what 0 sends waits there.
            if (step < 400)
            {
                Send(cube, 1, to, 1, step);
                Send(cube, 1, to, 1, step);
                cube.CardOf(0).Send(MachineFrame.Datagram4(cube.Addresses, default, to, 0, step, 4_000));
            }

            if (step == 400)
            {
                waited = cube[1].Waiting.Leaving;
                cube.Cube.Cut(cube.Shape.At(1), Link.XPlus);
            }

            cube.Cube.Advance(Step);
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        Assert.True(waited > 100);

        // Lost is only what left before this server knew.
        Assert.InRange(came.Count, 320, 400);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Where_there_is_no_room_who_has_most_loses()
    {
        using var cube = new TunnelCube(9, 1, 1, new TunnelOptions { Paths = TunnelPaths.One, QueuePackets = 64 });
        Coordinate to = cube.Shape.At(3);
        HashSet<int> came = [];
        cube.CardOf(to).Received = frame =>
        {
            (ushort from, int number) = MachineFrame.Read4(frame);
            Assert.True(from > 0 || came.Add(number));
        };
        for (int step = 0; step < 4_000; step++)
        {
            // Both of them send all that a link carries in small packets, the one that is asked about little.
            for (int i = 0; i < 4; i++)
            {
                cube.CardOf(1).Send(MachineFrame.Datagram4(cube.Addresses, cube.Shape.At(1), to, 1, step, 600));
                cube.CardOf(2).Send(MachineFrame.Datagram4(cube.Addresses, cube.Shape.At(2), to, 2, step, 600));
            }

            cube.CardOf(2).Send(MachineFrame.Datagram4(cube.Addresses, cube.Shape.At(2), to, 2, step, 600));
            if (step % 4 == 0)
            {
                cube.CardOf(0).Send(MachineFrame.Datagram4(cube.Addresses, default, to, 0, step, 600));
            }

            cube.Cube.Advance(TimeSpan.FromMicroseconds(20));
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(1_000, came.Count);
        cube.AssertNothingLeft();
    }

    private static void Send(TunnelCube cube, int from, Coordinate to, int flow, int number) =>
        cube.CardOf(from)
            .Send(MachineFrame.Datagram4(cube.Addresses, cube.Shape.At(from), to, (ushort)flow, number, Length));
}
