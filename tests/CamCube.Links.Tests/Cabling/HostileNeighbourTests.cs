using CamCube.Tests;

namespace CamCube.Cabling.Tests;

/// <summary>Whatever comes in, nothing throws, memory and what is sent stay bounded, and the right cables go on
/// working.</summary>
public sealed class HostileNeighbourTests
{
    [Fact]
    public void Random_and_bent_frames_are_survived()
    {
        var net = CablingNet.Cube(new TorusShape(2, 2, 2));
        Assert.True(net.RunUntilAdmitted(5));
        var random = new Random(3);
        List<byte[]> heard = Record(net, seconds: 2);
        NetServer target = net.Servers[0];
        for (int i = 0; i < 30_000; i++)
        {
            byte[] frame = (byte[])heard[random.Next(heard.Count)].Clone();
            if (i % 3 == 0)
            {
                frame = new byte[random.Next(2, 1_500)];
                random.NextBytes(frame);
                frame[0] = 0;
            }

            for (int bent = random.Next(6); bent > 0; bent--)
            {
                frame[random.Next(1, frame.Length)] = (byte)random.Next(256);
            }

            int length = i % 5 == 0 ? random.Next(frame.Length + 1) : frame.Length;
            target.Protocol!.FrameArrived(random.Next(target.Ports.Count), frame.AsSpan(0, length), net.Now);
            if (i % 50 == 0)
            {
                net.Run(0.01);
            }
        }

        Assert.True(target.Protocol!.MalformedFrames > 1_000);
        Assert.InRange(target.Protocol.KnownReports, 8, 8 + net.Options.SpareReports);
        Assert.True(net.RunUntilAdmitted(30));
        net.Run(15);
        Assert.All(net.Servers, s => Assert.Empty(s.Report.Faults));
    }

    [Fact]
    public void No_control_frame_throws_fills_memory_or_leaves_anything_behind() =>
        FuzzInputs.Run(
            (random, count) =>
            {
                var net = CablingNet.Cube(new TorusShape(2, 2, 2), random.Next());

                // From the first moment on, so that there are frames of every kind.
                List<byte[]> heard = [];
                net.Sent = (_, _, frame) => heard.Add(frame.ToArray());
                Assert.True(net.RunUntilAdmitted(5));
                net.Run(2);
                net.Sent = null;
                Assert.Equal(5, heard.Select(frame => frame[1]).Distinct().Count());
                byte[][][] kinds = [.. heard.GroupBy(frame => frame[1]).Select(kind => kind.ToArray())];
                NetServer target = net.Servers[0];
                for (int i = 0; i < count; i++)
                {
                    byte[][] kind = kinds[random.Next(kinds.Length)],
                        other = kinds[random.Next(kinds.Length)];
                    byte[] frame = random.Bend(kind[random.Next(kind.Length)], other[random.Next(other.Length)], 9_000);
                    if (frame.Length > 8 && random.Next(2) == 0)
                    {
                        // The frame says how long it is, so that what follows is looked at; or anything.
                        BitConverter.TryWriteBytes(
                            frame.AsSpan(6),
                            (ushort)(random.Next(4) == 0 ? random.Next(65_536) : frame.Length)
                        );
                    }

                    target.Protocol!.FrameArrived(random.Next(target.Ports.Count), frame, net.Now);
                    Assert.InRange(target.Protocol.KnownReports, 1, 8 + net.Options.SpareReports);
                    if (i % 200 == 0)
                    {
                        net.Run(0.01);
                    }
                }

                Assert.True(target.Protocol!.MalformedFrames > count / 100, $"{target.Protocol.MalformedFrames}");
                Assert.True(net.RunUntilAdmitted(60), "the cube does not recover");
                net.Run(15);
                Assert.Equal(8, target.Protocol.KnownReports);
                Assert.All(net.Servers, s => Assert.Empty(s.Report.Faults));
            }
        );

    [Fact]
    public void A_neighbour_that_makes_up_servers_fills_the_spare_room_only()
    {
        var net = CablingNet.Cube(new TorusShape(1, 1, 4));
        Assert.True(net.RunUntilAdmitted(5));
        NetServer target = net.Servers[0];
        (NetServer liar, int port) = target.Cables[0].From(target, 0);
        byte[] hello = Record(net, seconds: 2, liar, port)[0];
        Assert.True(ControlHeader.TryRead(hello, out ControlHeader header, out _));
        byte[] buffer = new byte[ControlHeader.LongestFrame];
        for (ulong id = 1; id < 5_000; id++)
        {
            ControlWriter writer = ControlHeader.Begin(buffer, header with { Kind = ControlKind.Report });
            writer.Bytes(Made(new ServerId(id), new ServerId(id + 1)).Bytes);
            target.Protocol!.FrameArrived(0, buffer.AsSpan(0, ControlHeader.End(writer)), net.Now);
        }

        net.Run(0.5);
        Assert.InRange(target.Protocol!.KnownReports, 4, 4 + net.Options.SpareReports);
        net.Run(20);
        Assert.Equal(4, target.Protocol.KnownReports);
        Assert.True(net.RunUntilAdmitted(1));
    }

    [Fact]
    public void A_neighbour_that_changes_all_the_time_is_taken_for_a_switch_and_answered_seldom()
    {
        var net = CablingNet.Cube(new TorusShape(1, 1, 4));
        Assert.True(net.RunUntilAdmitted(5));
        NetServer target = net.Servers[0];
        (NetServer peer, int port) = target.Cables[0].From(target, 0);
        byte[] hello = Record(net, seconds: 2, peer, port)[0];
        net.Remove(target.Cables[0]);
        int before = target.FramesSent;
        for (int i = 0; i < 4_000; i++)
        {
            hello[8] = (byte)i;
            target.Protocol!.FrameArrived(0, hello, net.Now);
            net.Run(0.001);
        }

        Assert.InRange(target.FramesSent - before, 1, 4_000 / 10 * 2);
        Assert.Contains(
            target.Faults,
            n => n.Text.EndsWith("several servers are heard in turn; there has to be a cable, not a switch")
        );
        Assert.False(target.Protocol!.Admitted.Contains(target.Ports[0].Link!.Value));
    }

    [Fact]
    public void A_neighbour_that_speaks_a_newer_version_is_named()
    {
        var net = CablingNet.Cube(new TorusShape(1, 1, 4));
        Assert.True(net.RunUntilAdmitted(5));
        NetServer target = net.Servers[0];
        (NetServer peer, _) = target.Cables[0].From(target, 0);
        net.Remove(target.Cables[0]);
        byte[] buffer = new byte[200];
        for (int i = 0; i < 50; i++)
        {
            ControlWriter writer = ControlHeader.Begin(
                buffer,
                new ControlHeader(ControlKind.Hello, 2, 2, 3, (int)Link.ZMinus, peer.Id, 5, "camcube", "lan7")
            );
            writer.UInt64(ulong.MaxValue);
            net.Inject(target, 0, buffer.AsSpan(0, ControlHeader.End(writer)));
            net.Run(0.1);
        }

        Assert.False(target.Protocol!.Admitted.Contains(Link.ZPlus));
        Assert.Contains(
            target.Faults,
            n =>
                n.Text.EndsWith(
                    $"port eth1 (+z): cable leads to server {peer.Id.Short} port lan7 (-z), which speaks cabling 2, "
                        + $"data 2 to 3; here it is cabling 1, data 1"
                )
        );
    }

    private static ServerReport Made(ServerId server, ServerId hears) =>
        new ServerReport
        {
            Server = server,
            Nonce = 1,
            Sequence = 5,
            BootMillis = 0,
            Coordinate = null,
            IsFixed = false,
            IsRefusing = false,
            Map = null,
            Ports =
            [
                new PortReport(
                    "x",
                    Link.XPlus,
                    true,
                    1_514,
                    false,
                    CablingHeard.Server,
                    true,
                    hears,
                    Link.XMinus,
                    "y",
                    ""
                ),
            ],
        }.Encoded();

    private static List<byte[]> Record(CablingNet net, double seconds, NetServer? from = null, int port = -1)
    {
        var frames = new List<byte[]>();
        net.Sent = (server, number, frame) =>
        {
            if (from is null || (server == from && port == number && frame[1] == (int)ControlKind.Hello))
            {
                frames.Add(frame.ToArray());
            }
        };
        net.Run(seconds);
        net.Sent = null;
        return frames;
    }
}
