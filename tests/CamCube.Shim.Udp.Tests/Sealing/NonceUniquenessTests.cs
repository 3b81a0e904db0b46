using CamCube.Shim.Udp.Sealing;

namespace CamCube.Shim.Udp.Tests.Sealing;

/// <summary>AES-GCM is broken by one number used twice under a key, so none is: across restarts, changes of keys and
/// whatever is played again.</summary>
public sealed class NonceUniquenessTests
{
    [Fact]
    public void No_counter_is_used_twice_under_a_key()
    {
        for (int seed = 0; seed < 5; seed++)
        {
            List<byte[]> all = Run(seed, null);
            Assert.True(all.Count > 10_000, $"seed {seed}: {all.Count} frames");
            Assert.True(KeysOf(all) > 100, $"seed {seed}: {KeysOf(all)} keys");
            Assert.Equal(all.Count, all.Select(Pair).Distinct().Count());
        }
    }

    [Fact]
    public void The_check_bites_when_randomness_is_broken()
    {
        List<byte[]> all = Run(1, static bytes => bytes.Fill(7));
        Assert.NotEqual(all.Count, all.Select(Pair).Distinct().Count());
    }

    private static List<byte[]> Run(int seed, NonceSource? broken)
    {
        var random = new Random(seed);
        var options = new ChannelOptions { RekeyFrames = 60, RekeyNanos = 2 * TestCable.Second };
        var cable = new TestCable(seed, options)
        {
            Loss = 0.1,
            Doubling = 0.2,
            JitterNanos = 3 * TestCable.Millisecond,
        };
        cable.Plus.Start(broken);
        cable.Minus.Start(broken);
        cable.Run(
            12 * TestCable.Second,
            () =>
            {
                _ = cable.Plus.Send() & cable.Minus.Send();
                CableEnd end = random.Next(2) == 0 ? cable.Plus : cable.Minus,
                    from = cable.Other(end);
                end.Arrive(from.Datagrams[random.Next(from.Datagrams.Count)]);
                if (random.Next(250) == 0)
                {
                    end.Start(broken);
                }
            }
        );
        return
        [
            .. cable.Plus.Datagrams.Concat(cable.Minus.Datagrams).Where(d => FrameFormat.KindOf(d) == FrameKind.Sealed),
        ];
    }

    private static int KeysOf(List<byte[]> frames) => frames.Select(KeyOf).Distinct().Count();

    private static uint KeyOf(byte[] datagram) => FrameFormat.KeyIdOf(datagram);

    private static (uint Key, ulong Counter) Pair(byte[] datagram) =>
        (FrameFormat.KeyIdOf(datagram), FrameFormat.CounterOf(datagram));
}
