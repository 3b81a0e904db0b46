using CamCube.Shim.Udp.Sealing;

namespace CamCube.Shim.Udp.Tests.Sealing;

/// <summary>Agreeing on keys, changing them, starting again; in virtual time.</summary>
public sealed class SecureChannelTests
{
    private const long RoundTrip = 2 * TestCable.Millisecond;

    [Fact]
    public void Both_ends_are_ready_within_two_round_trips()
    {
        var cable = new TestCable(1);
        cable.Minus.Start();
        cable.Plus.Start();
        long plus = cable.Until(() => cable.Plus.Channel.IsReady, "the + end");
        long minus = plus + cable.Until(() => cable.Minus.Channel.IsReady, "the - end");
        Assert.InRange(plus, 1, RoundTrip + (TestCable.Millisecond / 10));
        Assert.InRange(minus, 1, (RoundTrip * 3 / 2) + (TestCable.Millisecond / 10));
        Assert.True(cable.Plus.Send() && cable.Minus.Send());
        cable.Run(RoundTrip);
        Assert.Equal(cable.Plus.Sent, cable.Minus.Received);
        Assert.Equal(cable.Minus.Sent, cable.Plus.Received);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_end_that_starts_later_is_met_within_two_round_trips(bool plusIsLate)
    {
        var cable = new TestCable(2);
        CableEnd late = plusIsLate ? cable.Plus : cable.Minus;
        cable.Other(late).Start();
        cable.Run(20 * TestCable.Second);
        late.Start();
        long took = cable.Until(() => cable.Plus.Channel.IsReady && cable.Minus.Channel.IsReady, "keys");
        Assert.InRange(took, 1, (2 * RoundTrip) + (TestCable.Millisecond / 5));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_restart_is_recovered_within_two_round_trips(bool plusRestarts)
    {
        TestCable cable = TestCable.Ready(3);
        CableEnd restarted = plusRestarts ? cable.Plus : cable.Minus,
            other = cable.Other(restarted);
        for (int i = 0; i < 3; i++)
        {
            restarted.Start();
            restarted.Received.Clear();
            long took = cable.Until(
                () =>
                {
                    other.Send();
                    return restarted.Received.Count > 0;
                },
                "frames after a restart"
            );
            Assert.InRange(took, 1, (5 * RoundTrip / 2) + (TestCable.Millisecond / 5));
            cable.Run(10 * TestCable.Second, () => cable.Plus.Send());
        }
    }

    [Fact]
    public void Keys_change_by_count_and_no_frame_is_lost_or_doubled()
    {
        TestCable cable = TestCable.Ready(4, new ChannelOptions { RekeyFrames = 50 });
        long before = cable.Plus.Channel.Sessions;
        cable.Run(TestCable.Second, () => Assert.True(cable.Plus.Send() & cable.Minus.Send() & cable.Minus.Send()));
        cable.Run(TestCable.Second / 10);
        Assert.True(cable.Plus.Channel.Sessions > before + 15, $"{cable.Plus.Channel.Sessions}");
        Assert.Equal(cable.Plus.Sent, cable.Minus.Received);
        Assert.Equal(cable.Minus.Sent, cable.Plus.Received);
        Assert.Equal(0, cable.Plus.Count(OpenResult.Unauthenticated) + cable.Minus.Count(OpenResult.Unauthenticated));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Keys_change_by_count_when_only_one_end_sends(bool plusSends)
    {
        TestCable cable = TestCable.Ready(5, new ChannelOptions { RekeyFrames = 50 });
        CableEnd sender = plusSends ? cable.Plus : cable.Minus;
        cable.Run(TestCable.Second, () => Assert.True(sender.Send()));
        cable.Run(TestCable.Second / 10);
        Assert.InRange(cable.Plus.Channel.Sessions, 4, 25);
        Assert.Equal(sender.Sent, cable.Other(sender).Received);
    }

    [Fact]
    public void Keys_change_by_age()
    {
        TestCable cable = TestCable.Ready(6, new ChannelOptions { RekeyNanos = 10 * TestCable.Second });
        cable.Run(95 * TestCable.Second, () => Assert.True(cable.Plus.Send() & cable.Minus.Send()));
        Assert.Equal(10, cable.Plus.Channel.Sessions);
        Assert.Equal(10, cable.Minus.Channel.Sessions);
        cable.Run(TestCable.Second / 10);
        Assert.Equal(cable.Plus.Sent, cable.Minus.Received);
        Assert.Equal(cable.Minus.Sent, cable.Plus.Received);
    }

    [Fact]
    public void Without_traffic_the_keys_stay_and_the_ends_say_that_they_are_there()
    {
        TestCable cable = TestCable.Ready(7);
        int before = cable.Plus.Datagrams.Count + cable.Minus.Datagrams.Count;
        cable.Run(60 * TestCable.Second);
        Assert.InRange(cable.Plus.Datagrams.Count + cable.Minus.Datagrams.Count - before, 110, 125);
        Assert.Equal((1, 1), (cable.Plus.Channel.Sessions, cable.Minus.Channel.Sessions));
        Assert.Empty(cable.Plus.Received);
        Assert.InRange(cable.Plus.Channel.HeardNanos, cable.Now - (4 * TestCable.Second), cable.Now);
    }

    [Fact]
    public void Nothing_is_sealed_beyond_the_last_frame_of_a_key_until_there_is_a_new_one()
    {
        TestCable cable = TestCable.Ready(8, new ChannelOptions { RekeyFrames = 50, LastFrame = 80 });
        cable.Lose = (_, datagram) => datagram.Length == FrameFormat.HandshakeLength;
        int sent = 0;
        cable.Run(TestCable.Second, () => sent += cable.Plus.Send() ? 1 : 0);
        Assert.InRange(sent, 70, 80);
        Assert.False(cable.Plus.Channel.IsReady);
        cable.Lose = null;
        cable.Run(2 * TestCable.Second);
        Assert.True(cable.Plus.Send());
    }

    [Theory]
    [InlineData(0.1, 0.1, 0)]
    [InlineData(0.4, 0.2, 3)]
    [InlineData(0.5, 0, 20)]
    [InlineData(0, 0.9, 90)]
    public void Keys_are_agreed_on_and_changed_over_a_cable_that_loses_doubles_and_reorders(
        double loss,
        double doubling,
        int jitter
    )
    {
        for (int seed = 0; seed < 8; seed++)
        {
            var cable = new TestCable(seed, new ChannelOptions { RekeyFrames = 400, RekeyNanos = 5 * TestCable.Second })
            {
                Loss = loss,
                Doubling = doubling,
                JitterNanos = jitter * TestCable.Millisecond,
            };
            cable.Plus.Start();
            cable.Minus.Start();
            cable.Run(10 * TestCable.Second, () => _ = cable.Plus.Send() & cable.Minus.Send());
            (cable.Loss, cable.JitterNanos, cable.Doubling) = (0, 0, 0);
            cable.Run(5 * TestCable.Second);
            Assert.True(cable.Plus.Channel.Sessions > 2, $"seed {seed}: {cable.Plus.Channel.Sessions} sessions");
            foreach (CableEnd end in new[] { cable.Plus, cable.Minus })
            {
                Assert.True(cable.Other(end).Sent.Count > 5_000, $"seed {seed}: {cable.Other(end).Sent.Count} sent");
                Assert.Equal(end.Received.Count, end.Received.Distinct().Count());
                Assert.Subset(cable.Other(end).Sent.ToHashSet(), end.Received.ToHashSet());
                Assert.True(
                    end.Received.Count > cable.Other(end).Sent.Count * (1 - loss) * 0.7,
                    $"seed {seed}: {end.Received.Count} arrived"
                );
                end.Received.Clear();
            }

            // And then, undisturbed, everything arrives.
            Assert.True(cable.Plus.Send() & cable.Minus.Send());
            cable.Run(TestCable.Second);
            Assert.Single(cable.Plus.Received);
            Assert.Single(cable.Minus.Received);
        }
    }

    [Fact]
    public void Frames_that_were_overtaken_are_taken_once_inside_the_window()
    {
        TestCable cable = TestCable.Ready(9);
        List<byte[]> held = [];
        cable.Lose = (_, datagram) =>
        {
            held.Add(datagram);
            return true;
        };
        for (int i = 0; i < ReplayWindow.Size + 10; i++)
        {
            cable.Plus.Send();
        }

        cable.Lose = null;
        held.Reverse();
        int taken = held.Count(datagram => cable.Minus.Arrive(datagram) == OpenResult.Frame);
        Assert.Equal(ReplayWindow.Size, taken);
        Assert.Equal(0, held.Count(datagram => cable.Minus.Arrive(datagram) == OpenResult.Frame));
    }

    [Fact]
    public void A_frame_under_the_keys_before_is_taken_after_a_change_and_no_longer_after_the_next()
    {
        TestCable cable = TestCable.Ready(10, new ChannelOptions { RekeyNanos = 10 * TestCable.Second });
        byte[][] late = new byte[2][];
        int n = 0;
        cable.Lose = (_, datagram) =>
        {
            late[n++] = datagram;
            return true;
        };
        cable.Plus.Send();
        cable.Plus.Send();
        cable.Lose = null;
        cable.Run(11 * TestCable.Second);
        Assert.Equal(2, cable.Minus.Channel.Sessions);
        Assert.Equal(OpenResult.Frame, cable.Minus.Arrive(late[1]));
        cable.Run(10 * TestCable.Second);
        Assert.Equal(3, cable.Minus.Channel.Sessions);
        Assert.Equal(OpenResult.Unauthenticated, cable.Minus.Arrive(late[0]));
    }

    [Fact]
    public void A_frame_under_the_keys_before_is_taken_for_ten_seconds_and_no_longer_though_no_others_came()
    {
        TestCable cable = TestCable.Ready(12, new ChannelOptions { RekeyNanos = 60 * TestCable.Second });
        List<byte[]> toMinus = [],
            toPlus = [];
        cable.Lose = (from, datagram) =>
        {
            (from == cable.Plus ? toMinus : toPlus).Add(datagram);
            return true;
        };
        for (int i = 0; i < 3; i++)
        {
            Assert.True(cable.Plus.Send() & cable.Minus.Send());
        }

        cable.Lose = null;
        cable.Until(
            () => cable.Plus.Channel.Sessions == 2 && cable.Minus.Channel.Sessions == 2,
            "new keys",
            70 * TestCable.Second
        );
        cable.Run(9 * TestCable.Second);
        Assert.Equal(
            (OpenResult.Frame, OpenResult.Frame),
            (cable.Minus.Arrive(toMinus[0]), cable.Plus.Arrive(toPlus[0]))
        );
        cable.Run(1_010 * TestCable.Millisecond);
        Assert.Equal(
            (OpenResult.Unauthenticated, OpenResult.Unauthenticated),
            (cable.Minus.Arrive(toMinus[1]), cable.Plus.Arrive(toPlus[1]))
        );

        // The keys are gone before anybody asks for them.
        cable.Run(30 * TestCable.Second);
        Assert.Equal(
            (OpenResult.Unauthenticated, OpenResult.Unauthenticated),
            (cable.Minus.Arrive(toMinus[2]), cable.Plus.Arrive(toPlus[2]))
        );
        Assert.Equal((2, 2), (cable.Plus.Channel.Sessions, cable.Minus.Channel.Sessions));
    }

    [Fact]
    public void Sealing_and_opening_allocates_nothing()
    {
        var cable = new TestCable(11);
        byte[] datagram = new byte[9_032];
        var a = new SecureChannel(TestCable.KeyOf(1), Link.YPlus, new Random(1).NextBytes, new ChannelOptions(), 0);
        var b = new SecureChannel(TestCable.KeyOf(1), Link.YMinus, new Random(2).NextBytes, new ChannelOptions(), 0);
        for (int i = 0; i < 5; i++)
        {
            for (int length; (length = a.TryTakeMessage(datagram, 0)) > 0; )
            {
                b.Open(datagram.AsSpan(0, length), 0);
            }

            for (int length; (length = b.TryTakeMessage(datagram, 0)) > 0; )
            {
                a.Open(datagram.AsSpan(0, length), 0);
            }
        }

        int opened = 0;
        void Pass(int frames)
        {
            for (int i = 0; i < frames; i++)
            {
                int length = a.Seal(datagram, 1_400);
                opened += b.Open(datagram.AsSpan(0, length), 0) == OpenResult.Frame ? 1 : 0;
                length = b.Seal(datagram, 40);
                opened += a.Open(datagram.AsSpan(0, length), 0) == OpenResult.Frame ? 1 : 0;
                _ = a.Deadline + b.Deadline + a.TryTakeMessage(datagram, 0);
            }
        }

        Pass(200);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Pass(10_000);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(2 * 10_200, opened);
    }
}
