using System.Buffers.Binary;
using CamCube.Shim.Udp.Sealing;

namespace CamCube.Shim.Udp.Tests.Sealing;

/// <summary>Strangers, and old messages of friends: nothing of theirs gets in and nothing of theirs changes
/// keys.</summary>
public sealed class HostileTests
{
    [Fact]
    public void Random_bytes_of_all_lengths_get_nowhere()
    {
        int seed = new Random().Next();
        var random = new Random(seed);
        TestCable cable = TestCable.Ready(seed);
        for (int i = 0; i < 15_000; i++)
        {
            byte[] datagram = new byte[random.Next(3) == 0 ? FrameFormat.HandshakeLength : random.Next(200)];
            random.NextBytes(datagram);
            if (datagram.Length > 0 && random.Next(2) == 0)
            {
                // Past the first byte, so that what follows is looked at.
                datagram[0] = (byte)((FrameFormat.Version << 4) | random.Next(8));
            }

            if (datagram.Length > 8 && random.Next(2) == 0)
            {
                byte[] real = cable.Plus.Datagrams[random.Next(cable.Plus.Datagrams.Count)];
                real.AsSpan(0, Math.Min(8, real.Length)).CopyTo(datagram);
            }

            CableEnd end = random.Next(2) == 0 ? cable.Plus : cable.Minus;
            OpenResult result = end.Arrive(datagram);
            Assert.False(result is OpenResult.Frame or OpenResult.Taken, $"seed {seed}, datagram {i}: {result}");
        }

        AssertUnmoved(cable);
    }

    [Fact]
    public void Every_bit_of_a_frame_and_of_a_handshake_counts()
    {
        var cable = new TestCable(21);
        var kinds = new HashSet<FrameKind>();
        cable.Lose = (from, datagram) =>
        {
            // Before the genuine one arrives, all its relatives do.
            CableEnd to = cable.Other(from);
            kinds.Add(FrameFormat.KindOf(datagram));
            for (int bit = 0; bit < datagram.Length * 8; bit++)
            {
                byte[] turned = [.. datagram];
                turned[bit / 8] ^= (byte)(1 << (bit % 8));
                OpenResult result = to.IsRunning ? to.Channel.Open(turned, cable.Now) : OpenResult.Unauthenticated;
                Assert.False(
                    result is OpenResult.Frame or OpenResult.Taken or OpenResult.OtherLink,
                    $"{FrameFormat.KindOf(datagram)}, bit {bit}: {result}"
                );
            }

            return false;
        };
        cable.Plus.Start();
        cable.Minus.Start();
        for (int i = 0; i < 40; i++)
        {
            cable.Run(100 * TestCable.Millisecond);
            _ = cable.Plus.Send() & cable.Minus.Send();
        }

        cable.Lose = null;
        cable.Run(TestCable.Second);
        Assert.Equal("Initiate, Respond, Confirm, Wanted, Sealed", string.Join(", ", kinds.Order()));
        Assert.Equal(cable.Plus.Sent, cable.Minus.Received);
        Assert.Equal(cable.Minus.Sent, cable.Plus.Received);
        Assert.NotEmpty(cable.Plus.Received);
    }

    [Fact]
    public void A_frame_cut_or_lengthened_anywhere_gets_nowhere()
    {
        TestCable cable = TestCable.Ready(22);
        cable.Lose = (_, _) => true;
        cable.Plus.Send(100);
        byte[] whole = cable.Plus.Datagrams[^1],
            handshake = cable.Plus.Datagrams[0];
        Assert.Equal(FrameFormat.HandshakeLength, handshake.Length);
        foreach (byte[] real in new[] { whole, handshake })
        {
            for (int length = 0; length < real.Length + 40; length++)
            {
                if (length != real.Length)
                {
                    byte[] other = new byte[length];
                    real.AsSpan(0, Math.Min(length, real.Length)).CopyTo(other);
                    Assert.Equal(OpenResult.Unauthenticated, cable.Minus.Arrive(other));
                }
            }
        }

        Assert.Equal(OpenResult.Frame, cable.Minus.Arrive(whole));
    }

    [Fact]
    public void A_recorded_cable_played_again_to_both_ends_gives_no_frame_twice_and_no_old_keys()
    {
        for (int seed = 0; seed < 5; seed++)
        {
            var random = new Random(seed);
            TestCable cable = TestCable.Ready(seed, new ChannelOptions { RekeyFrames = 100 });
            List<byte[]> recorded = [];
            for (int life = 0; life < 6; life++)
            {
                cable.Run(
                    300 * TestCable.Millisecond,
                    () =>
                    {
                        _ = cable.Plus.Send() & cable.Minus.Send();

                        // Whatever was ever seen, at any time, at either end.
                        for (int i = 0; i < 5 && recorded.Count > 0; i++)
                        {
                            (random.Next(2) == 0 ? cable.Plus : cable.Minus).Arrive(
                                recorded[random.Next(recorded.Count)]
                            );
                        }
                    }
                );
                recorded.Clear();
                recorded.AddRange(cable.Plus.Datagrams);
                recorded.AddRange(cable.Minus.Datagrams);
                if (life % 2 == 1)
                {
                    // All keys of before are forgotten; what was sealed with them never comes up again.
                    (random.Next(2) == 0 ? cable.Plus : cable.Minus).Start();
                }
            }

            cable.Run(3 * TestCable.Second);
            foreach (CableEnd end in new[] { cable.Plus, cable.Minus })
            {
                Assert.Equal(end.Received.Count, end.Received.Distinct().Count());
                Assert.Subset(cable.Other(end).Sent.ToHashSet(), end.Received.ToHashSet());
                Assert.True(
                    end.Received.Count > cable.Other(end).Sent.Count * 0.9,
                    $"seed {seed}: {end.Received.Count} of {cable.Other(end).Sent.Count}"
                );
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void After_a_restart_of_either_end_nothing_of_before_is_taken(bool plusRestarts)
    {
        TestCable cable = TestCable.Ready(23);
        cable.Run(TestCable.Second, () => _ = cable.Plus.Send() & cable.Minus.Send());
        byte[][] toMinus = [.. cable.Plus.Datagrams],
            toPlus = [.. cable.Minus.Datagrams];
        CableEnd restarted = plusRestarts ? cable.Plus : cable.Minus;
        restarted.Start();

        // Before there are new keys.
        cable.Lose = (_, _) => true;
        Array.ForEach(plusRestarts ? toPlus : toMinus, datagram => restarted.Arrive(datagram));
        Assert.False(restarted.Channel.IsReady);
        Assert.Equal(0, restarted.Channel.Sessions);

        // And after.
        cable.Lose = null;
        cable.Run(2 * TestCable.Second);
        Assert.True(restarted.Channel.IsReady);
        int before = cable.Plus.Received.Count + cable.Minus.Received.Count;
        Array.ForEach(toMinus, datagram => cable.Minus.Arrive(datagram));
        Array.ForEach(toPlus, datagram => cable.Plus.Arrive(datagram));
        Assert.Equal(before, cable.Plus.Received.Count + cable.Minus.Received.Count);
        cable.Run(TestCable.Second);
        AssertUnmoved(cable);
    }

    [Fact]
    public void Another_cluster_key_is_told_apart_and_gets_nowhere()
    {
        var cable = new TestCable(24, otherKey: TestCable.KeyOf(2));
        cable.Plus.Start();
        cable.Minus.Start();
        cable.Run(5 * TestCable.Second);
        Assert.False(cable.Plus.Channel.IsReady || cable.Minus.Channel.IsReady);
        Assert.True(cable.Plus.Count(OpenResult.OtherKey) > 0 && cable.Minus.Count(OpenResult.OtherKey) > 0);
        Assert.Equal(0, cable.Plus.Count(OpenResult.Taken) + cable.Minus.Count(OpenResult.Taken));

        // A key that only claims to be the same has the right fingerprint and proves nothing.
        byte[] forged = [.. cable.Minus.Datagrams[0]];
        BinaryPrimitives.WriteUInt32LittleEndian(forged.AsSpan(4), TestCable.KeyOf(1).Fingerprint);
        Assert.Equal(OpenResult.Unauthenticated, cable.Plus.Arrive(forged));
    }

    [Fact]
    public void A_newer_version_is_told_apart_and_gets_nowhere()
    {
        TestCable cable = TestCable.Ready(25);
        byte[] newer = new byte[FrameFormat.HandshakeLength];
        newer[0] = 0x21;
        Assert.Equal(OpenResult.OtherVersion, cable.Plus.Arrive(newer));
        AssertUnmoved(cable);
    }

    [Fact]
    public void A_port_that_does_not_belong_there_is_named()
    {
        TestCable cable = TestCable.Ready(26);
        byte[] datagram = new byte[FrameFormat.HandshakeLength];
        FrameFormat.WriteHandshake(datagram, FrameKind.Initiate, Link.ZMinus, false, [], [], TestCable.KeyOf(1));
        Assert.Equal(OpenResult.OtherLink, cable.Plus.Arrive(datagram));
        Assert.Equal(Link.ZMinus, cable.Plus.Channel.PeerLink);
        Assert.Equal(OpenResult.OtherLink, cable.Plus.Arrive(cable.Plus.Datagrams[0]));
        datagram[1] = 200;
        TestCable.KeyOf(1).Prove(datagram.AsSpan(0, 40), datagram.AsSpan(40));
        Assert.Equal(OpenResult.OtherLink, cable.Plus.Arrive(datagram));
        Assert.Equal(Link.Local, cable.Plus.Channel.PeerLink);
        AssertUnmoved(cable);
    }

    [Fact]
    public void Whoever_plays_old_messages_gets_few_answers_and_none_that_is_longer()
    {
        TestCable cable = TestCable.Ready(27);
        cable.Run(TestCable.Second);
        byte[] question = cable.Plus.Datagrams[0];
        Assert.Equal(FrameKind.Initiate, FrameFormat.KindOf(question));
        cable.Lose = (_, _) => true;
        int before = cable.Minus.Datagrams.Count;
        for (int i = 0; i < 10_000; i++)
        {
            cable.Minus.Arrive(question);
            cable.Run(100_000);
        }

        // A second's worth of them.
        byte[][] answers = [.. cable.Minus.Datagrams.Skip(before)];
        Assert.InRange(answers.Length, 10, 80);
        Assert.All(answers, answer => Assert.True(answer.Length <= question.Length));
        Assert.True(cable.Minus.Count(OpenResult.TooMany) > 9_000);
    }

    private static void AssertUnmoved(TestCable cable)
    {
        cable.Lose = null;
        int plus = cable.Plus.Received.Count,
            minus = cable.Minus.Received.Count;
        Assert.True(cable.Plus.Send() & cable.Minus.Send());
        cable.Run(TestCable.Second);
        Assert.Equal((plus + 1, minus + 1), (cable.Plus.Received.Count, cable.Minus.Received.Count));
    }
}
