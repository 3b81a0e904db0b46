using System.Diagnostics;
using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Linux;
using CamCube.Shim.Ethernet;
using CamCube.Shim.Ethernet.Frames;
using CamCube.Shim.Ethernet.Interfaces;
using CamCube.Shim.Ethernet.Ports;
using CamCube.Shim.Ethernet.Settings;
using CamCube.Shim.Tests.Kit;

namespace CamCube.Shim.Tests.Ethernet;

/// <summary>Ports at the ends of a cable, whoever moves their frames.</summary>
[SupportedOSPlatform("linux")]
public abstract class EthernetPortsTests
{
    private static readonly LinkSet Axis = (LinkSet)Link.XPlus | Link.XMinus;

    [Fact]
    public void Frames_of_every_kind_of_length_pass_both_ways_in_order() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            PortRecorder a = Open("a0"),
                b = Open("b0");
            Assert.Equal((true, 9_014), (a.Ports.IsUp(0), a.Ports.MaxFrameLength(0)));
            int[] lengths = [1, 2, 13, 45, 46, 47, 59, 60, 61, 1_000, 1_500, 4_096, 8_999, 9_000];
            foreach ((PortRecorder from, PortRecorder to) in new[] { (a, b), (b, a), (a, b) })
            {
                to.Frames.Clear();
                foreach (int length in lengths)
                {
                    byte[] frame = new byte[length];
                    frame.AsSpan().Fill((byte)(length + 1));
                    frame[0] = 1;
                    from.Send(0, frame);
                }

                from.Flush();
                to.Until(() => to.Frames.Count == lengths.Length, "frames are missing");
                Assert.Equal(lengths.Select(n => Math.Max(n, 46)), to.Frames.Select(f => f.Bytes.Length));
                Assert.All(
                    to.Frames.Zip(lengths),
                    p =>
                    {
                        byte[] bytes = p.First.Bytes;
                        Assert.Equal(1, bytes[0]);
                        Assert.True(bytes.AsSpan(1, p.Second - 1).IndexOfAnyExcept((byte)(p.Second + 1)) < 0);
                        Assert.True(bytes.AsSpan(p.Second).IndexOfAnyExcept((byte)0) < 0, "padding is not zero");
                    }
                );
            }

            Assert.Empty(a.Drops.Concat(b.Drops));
            a.Ports.Close();
            b.Ports.Close();
        });

    [Fact]
    public void A_control_frame_says_whose_address_it_is_and_then_frames_go_to_it_alone() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            PortRecorder a = Open("a0");
            using var interfaces = new LinuxInterfaces();
            InterfaceInfo other = interfaces.List().Single(i => i.Name == "b0");
            Assert.Equal(0, PacketSockets.Open(other.Index, 100_000, 100_000, out DescriptorHandle socket));
            using DescriptorHandle _ = socket;
            using var ring = new FrameRing(4, 9_014);
            byte[] frame = new byte[60];
            Assert.Equal(MacAddress.Broadcast, SendAndSee());

            // A data frame says nothing; nor does a control frame from an address that nobody can have.
            EthernetHeader.Write(frame, MacAddress.Broadcast, other.Address, 46);
            frame[14] = 1;
            NativeSocket.Send(socket, frame);
            EthernetHeader.Write(frame, MacAddress.Broadcast, new MacAddress(1), 46);
            frame[14] = 0;
            NativeSocket.Send(socket, frame);
            a.Until(() => a.Frames.Count == 2, "frames are missing");
            Assert.Equal(MacAddress.Broadcast, SendAndSee());

            EthernetHeader.Write(frame, MacAddress.Broadcast, other.Address, 46);
            NativeSocket.Send(socket, frame);
            a.Until(() => a.Frames.Count == 3, "frames are missing");
            Assert.Equal(other.Address, SendAndSee());

            // Whoever is plugged in next may be somebody else.
            Sandbox.Ip("link set b0 down");
            a.Until(() => !a.Ports.IsUp(0), "not down");
            Sandbox.Ip("link set b0 up");
            a.Until(() => a.Ports.IsUp(0), "not up");
            Assert.Equal(MacAddress.Broadcast, SendAndSee());
            a.Ports.Close();

            MacAddress SendAndSee()
            {
                a.Send(0, [1, 2, 3]);
                a.Flush();
                Assert.True(SpinWait.SpinUntil(() => ring.Receive(socket, 1, out int _) == 1, 5_000));
                MacAddress seen = MacAddress.Read(ring.Readable(0, out bool _));
                ring.Release(1);
                return seen;
            }
        });

    [Fact]
    public void A_wake_ends_the_sleep_and_a_deadline_too() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            PortRecorder a = Open("a0");
            a.Ports.Wake();
            a.Ports.Wait(0, long.MaxValue);
            Assert.Equal(0, a.Receive());
            a.Ports.Wait(0, 1_000_000);
            var thread = new Thread(a.Ports.Wake);
            thread.Start();
            a.Ports.Wait(0, long.MaxValue);
            thread.Join();
            a.Ports.Close();
            a.Ports.Close();
            a.Ports.Wake();
        });

    [Fact]
    public void Down_and_up_and_another_mtu_are_told_at_once() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            PortRecorder a = Open("a0"),
                b = Open("b0");
            Sandbox.Ip("link set b0 down");
            a.Until(() => a.Changes.Count == 1, "the cable is not down at a");
            b.Until(() => b.Changes.Count == 1, "the cable is not down at b");
            Assert.Equal((0, false, 9_014), a.Changes[0]);
            Assert.Equal((0, false, 9_014), b.Changes[0]);

            // What is sent on a dead port is lost and the port has room for ever.
            for (int i = 0; i < 100; i++)
            {
                a.Send(0, new byte[100]);
                b.Send(0, new byte[100]);
            }

            a.Flush();
            b.Flush();
            Sandbox.Ip("link set b0 up");
            a.Until(() => a.Changes.Count == 2, "the cable is not up at a");
            b.Until(() => b.Changes.Count >= 2, "the cable is not up at b");
            Sandbox.Ip("link set a0 mtu 1500");
            a.Until(() => a.Changes.Count == 3, "the mtu is not told");
            Assert.Equal((0, true, 1_514), a.Changes[2]);
            a.Send(0, new byte[1_501]);
            a.Send(0, new byte[1_500]);
            a.Flush();
            Assert.Equal([(0, DropReason.TooLarge)], a.Drops);
            b.Until(() => b.Frames.Count == 1, "no frame");
            Assert.Equal(1_500, b.Frames[0].Bytes.Length);
            a.Ports.Close();
            b.Ports.Close();
        });

    [Fact]
    public void Longer_frames_pass_as_soon_as_the_mtu_is_larger() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0", 1_500);
            PortRecorder a = Open("a0"),
                b = Open("b0");
            Assert.Equal(1_514, b.Ports.MaxFrameLength(0));
            a.Send(0, new byte[1_500]);
            a.Flush();
            b.Until(() => b.Frames.Count == 1, "no frame");
            Sandbox.Ip("link set a0 mtu 9000");
            Sandbox.Ip("link set b0 mtu 9000");
            a.Until(() => a.Ports.MaxFrameLength(0) == 9_014, "the mtu is not told at a");
            b.Until(() => b.Ports.MaxFrameLength(0) == 9_014, "the mtu is not told at b");
            byte[] frame = new byte[9_000];
            new Random(3).NextBytes(frame);
            foreach ((PortRecorder from, PortRecorder to) in new[] { (a, b), (b, a) })
            {
                to.Frames.Clear();
                from.Send(0, frame);
                from.Flush();
                to.Until(() => to.Frames.Count == 1, "no long frame");
                Assert.Equal(frame, to.Frames[0].Bytes);
            }

            Assert.Empty(a.Drops.Concat(b.Drops));
            a.Ports.Close();
            b.Ports.Close();
        });

    [Fact]
    public void Frames_keep_their_order_across_the_end_of_the_smallest_receive_buffer() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            PortRecorder a = Open("a0"),
                b = Open("b0", new() { ["ReceiveBuffer"] = "131072" });
            var random = new Random(5);
            byte[] frame = new byte[9_000];
            for (int sent = 0; sent < 300; )
            {
                for (int n = random.Next(1, 5); n > 0; n--, sent++)
                {
                    frame[0] = 1;
                    BitConverter.TryWriteBytes(frame.AsSpan(4), sent);
                    a.Send(0, frame.AsSpan(0, random.Next(60, 9_001)));
                }

                AwaitAll(a, b, sent);
            }

            Assert.Equal(Enumerable.Range(0, b.Frames.Count), b.Frames.Select(f => BitConverter.ToInt32(f.Bytes, 4)));
            a.Ports.Close();
            b.Ports.Close();
        });

    [Fact]
    public void A_port_without_a_cable_lets_the_loop_sleep() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            PortRecorder a = Open("a0");
            Sandbox.Ip("link set a0 down");
            a.Until(() => !a.Ports.IsUp(0), "not down");

            // News of the interface may end some sleeps early, an error that nobody takes would end all of them.
            const long Sleep = 20_000_000;
            long begin;
            a.Until(
                () =>
                {
                    begin = Stopwatch.GetTimestamp();
                    a.Ports.Wait(0, Sleep);
                    return Stopwatch.GetElapsedTime(begin).TotalNanoseconds >= Sleep;
                },
                "no sleep lasts"
            );
            a.Ports.Close();
        });

    [Fact]
    public void A_frame_beyond_what_is_taken_is_counted_and_not_passed_on() =>
        Sandbox.Run(() =>
        {
            // The mtu shrinks behind the port's back, between its look and its send; and a neighbour sends more than
            // 9,014 bytes.
            Sandbox.Cable("a0", "b0", 9_200);
            PortRecorder a = Open("a0"),
                b = Open("b0");
            Sandbox.Ip("link set a0 mtu 2000");
            a.Send(0, new byte[100]);
            a.Send(0, new byte[9_000]);
            a.Send(0, new byte[200]);
            a.Flush();
            a.Flush();
            b.Until(() => b.Frames.Count == 2, "frames are missing");
            a.Until(() => a.Drops.Count == 1, "the frame is not counted");
            Assert.Equal([(0, DropReason.TooLarge)], a.Drops);

            Sandbox.Ip("link set a0 mtu 9200");
            using var interfaces = new LinuxInterfaces();
            InterfaceInfo other = interfaces.List().Single(i => i.Name == "a0");
            PacketSockets.Open(other.Index, 100_000, 100_000, out DescriptorHandle socket);
            using DescriptorHandle _ = socket;
            byte[] frame = new byte[9_100];
            EthernetHeader.Write(frame, MacAddress.Broadcast, other.Address, 9_000);
            Assert.Equal(0, NativeSocket.Send(socket, frame));
            Assert.Equal(0, NativeSocket.Send(socket, frame.AsSpan(0, 9_015)));
            Assert.Equal(0, NativeSocket.Send(socket, frame.AsSpan(0, 9_014)));
            b.Until(() => b.Frames.Count == 3, "frames are missing");
            Assert.Equal([(0, DropReason.TooLarge), (0, DropReason.TooLarge)], b.Drops);
            a.Ports.Close();
            b.Ports.Close();
        });

    [Fact]
    public void An_interface_that_vanishes_and_returns_carries_frames_again() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            Sandbox.Cable("a1", "b1");
            PortRecorder a = Open("a0,a1"),
                b = Open("b0,b1");
            for (int round = 0; round < 3; round++)
            {
                Sandbox.Ip("link del a0");
                a.Changes.Clear();
                b.Changes.Clear();
                a.Until(() => a.Changes.Contains((0, false, 0)), "a0 is not gone");
                b.Until(() => b.Changes.Contains((0, false, 0)), "b0 is not gone");
                a.Send(0, [1, 2, 3]);
                a.Send(1, [1, 2, 3]);
                a.Flush();
                Sandbox.Cable("a0", "b0", round == 1 ? 1_500 : 9_000);
                a.Until(() => a.Ports.IsUp(0), "a0 is not back");
                b.Until(() => b.Ports.IsUp(0), "b0 is not back");
                Assert.Equal(round == 1 ? 1_514 : 9_014, a.Ports.MaxFrameLength(0));
                b.Frames.Clear();
                a.Send(0, [1, 9, 9]);
                b.Send(0, [1, 8, 8]);
                a.Flush();
                b.Flush();
                b.Until(() => b.Frames.Exists(f => f.Port == 0 && f.Bytes[1] == 9), "no frame from a");
                a.Until(() => a.Frames.Exists(f => f.Port == 0 && f.Bytes[1] == 8), "no frame from b");
                a.Frames.Clear();
            }

            // Deleted and made again between two looks.
            a.Changes.Clear();
            Sandbox.Ip("link del a0");
            Sandbox.Cable("a0", "b0");
            a.Until(() => a.Changes.Contains((0, false, 0)) && a.Ports.IsUp(0), "a0 is not back");
            a.Ports.Close();
            b.Ports.Close();
        });

    [Fact]
    public void A_slow_cable_pushes_back_and_nothing_is_lost() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            Sandbox.Tc("qdisc add dev a0 root tbf rate 200mbit burst 64kb limit 2mb");
            PortRecorder a = Open("a0"),
                b = Open("b0");
            const int Frames = 400;
            int sent = 0,
                mostAhead = 0;
            long before = Sandbox.FramesSentBy("a0");
            byte[] frame = new byte[9_000];
            while (sent < Frames)
            {
                for (; sent < Frames && a.Ports.Room(0) > 0; sent++)
                {
                    BitConverter.TryWriteBytes(frame.AsSpan(4), sent);
                    frame[0] = 1;
                    a.Send(0, frame);
                }

                // What has passed the cable waits for nobody but this test.
                mostAhead = Math.Max(mostAhead, sent - (int)(Sandbox.FramesSentBy("a0") - before));
                b.Receive();
                if (sent < Frames)
                {
                    a.Until(() => a.Ports.Room(0) >= 2, "the room does not come back");
                }
            }

            AwaitAll(a, b, Frames);
            Assert.Equal(Enumerable.Range(0, Frames), b.Frames.Select(f => BitConverter.ToInt32(f.Bytes, 4)));
            Assert.True(a.RoomsAgain > 5, $"told of room {a.RoomsAgain} times");
            Assert.True(mostAhead < 100, $"{mostAhead} frames waited below the queues");
            Assert.Empty(a.Drops);
            a.Ports.Close();
            b.Ports.Close();
        });

    [Fact]
    public void A_queue_of_the_system_that_is_too_short_loses_nothing_either() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            Sandbox.Tc("qdisc add dev a0 root tbf rate 200mbit burst 64kb limit 40kb");
            PortRecorder a = Open("a0"),
                b = Open("b0");
            byte[] frame = new byte[9_000];
            for (int sent = 0; sent < 100; sent++)
            {
                a.Until(() => a.Ports.Room(0) > 0, "the room does not come back");
                BitConverter.TryWriteBytes(frame.AsSpan(4), sent);
                frame[0] = 1;
                a.Send(0, frame);
            }

            AwaitAll(a, b, 100);
            Assert.Equal(Enumerable.Range(0, 100), b.Frames.Select(f => BitConverter.ToInt32(f.Bytes, 4)));
            a.Ports.Close();
            b.Ports.Close();
        });

    [Fact]
    public void What_the_receive_side_has_no_room_for_is_counted() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            PortRecorder a = Open("a0"),
                b = Open("b0", new() { ["ReceiveBuffer"] = "65536" });
            const int Frames = 2_000;
            for (int i = 0; i < Frames; i++)
            {
                a.Send(0, new byte[1_000]);
                a.Flush();
            }

            b.Until(() => b.Frames.Count + b.Drops.Count == Frames, "frames are neither here nor counted");
            Assert.True(b.Drops.Count > 1_000);
            Assert.All(b.Drops, d => Assert.Equal((0, DropReason.ReceiveFull), d));
            a.Ports.Close();
            b.Ports.Close();
        });

    [Fact]
    public void Random_bytes_of_every_length_from_a_neighbour_are_passed_on_or_counted() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            PortRecorder b = Open("b0");
            using var interfaces = new LinuxInterfaces();
            PacketSockets.Open(
                interfaces.List().Single(i => i.Name == "a0").Index,
                4_000_000,
                100_000,
                out DescriptorHandle socket
            );
            using DescriptorHandle _ = socket;
            var random = new Random(7);
            byte[] frame = new byte[9_014];
            int sent = 0;
            b.OnlyCounts = true;
            for (int length = 0; length <= 9_014; length++)
            {
                random.NextBytes(frame);
                (frame[12], frame[13]) = (0x88, 0xB5);

                // To everybody: what is for others is not even looked at.
                frame.AsSpan(0, 6).Fill(0xFF);

                // The kernel refuses what is shorter than a header.
                sent += NativeSocket.Send(socket, frame.AsSpan(0, length)) == 0 ? 1 : 0;
                b.Receive();
            }

            Assert.InRange(sent, 9_000, 9_001);
            b.Until(() => b.FrameCount + b.Drops.Count == sent, "frames are neither here nor counted");
            Assert.True(b.Drops.Count <= 1);
            b.Ports.Close();
        });

    [Fact]
    public void Nothing_allocates_per_frame() =>
        Sandbox.Run(() =>
        {
            Sandbox.Cable("a0", "b0");
            PortRecorder a = Open("a0"),
                b = Open("b0");
            (a.OnlyCounts, b.OnlyCounts) = (true, true);
            byte[] frame = new byte[1_400];
            frame[0] = 1;
            long sent = 0;
            Assert.Equal(
                0,
                Allocations.Of(() =>
                {
                    for (int round = 0; round < 100; round++)
                    {
                        for (int i = 0; i < 50; i++, sent++)
                        {
                            a.Send(0, frame);
                        }

                        a.Flush();
                        a.Receive();
                        b.Ports.Wait(0, 1_000_000);
                        b.Receive();
                        b.Receive();
                    }
                })
            );
            b.Until(() => b.FrameCount == sent, "frames are missing");
            a.Ports.Close();
            b.Ports.Close();
        });

    private protected static void AwaitAll(PortRecorder from, PortRecorder to, int frames) =>
        from.Until(
            () =>
            {
                to.Receive();
                return to.Frames.Count == frames;
            },
            "frames are missing"
        );

    private protected abstract CablePorts Open(EthernetOptions options, LinkSet links);

    private protected PortRecorder Open(string interfaces, Dictionary<string, string>? settings = null)
    {
        settings = new(settings ?? [], StringComparer.OrdinalIgnoreCase) { ["Interfaces"] = interfaces };
        return new PortRecorder(Open(EthernetOptions.Read(settings), Axis));
    }
}
