using CamCube.Shim.Udp.Sealing;

namespace CamCube.Shim.Udp.Tests.Sealing;

/// <summary>Two ends and what lies between them, in virtual time: datagrams take a while, and may be lost, doubled and
/// overtaken.</summary>
internal sealed class TestCable
{
    public const long Millisecond = 1_000_000;
    public const long Second = 1_000_000_000;
    private readonly PriorityQueue<(CableEnd To, byte[] Datagram), (long Time, long Order)> _onTheWay = new();
    private readonly Random _random;
    private long _order;

    public TestCable(int seed, ChannelOptions? options = null, ClusterKey? key = null, ClusterKey? otherKey = null)
    {
        _random = new Random(seed);
        Options = options ?? new ChannelOptions();
        key ??= KeyOf(1);
        Plus = new CableEnd(this, Link.XPlus, key, new Random(seed ^ 0x1234));
        Minus = new CableEnd(this, Link.XMinus, otherKey ?? key, new Random(seed ^ 0x4321));
    }

    public ChannelOptions Options { get; }

    public long Now { get; private set; } = 5 * Second;

    public CableEnd Plus { get; }

    public CableEnd Minus { get; }

    /// <summary>One way.</summary>
    public long DelayNanos { get; set; } = Millisecond;

    /// <summary>Up to so much longer, so that datagrams overtake each other.</summary>
    public long JitterNanos { get; set; }

    public double Loss { get; set; }

    public double Doubling { get; set; }

    /// <summary>Asked for each datagram: true loses it.</summary>
    public Func<CableEnd, byte[], bool>? Lose { get; set; }

    public static ClusterKey KeyOf(byte first)
    {
        byte[] secret = new byte[32];
        secret[0] = first;
        return new ClusterKey(secret);
    }

    /// <summary>Both ends started, keys agreed on.</summary>
    public static TestCable Ready(int seed, ChannelOptions? options = null)
    {
        var cable = new TestCable(seed, options);
        cable.Plus.Start();
        cable.Minus.Start();
        cable.Run(100 * Millisecond);
        Assert.True(cable.Plus.Channel.IsReady && cable.Minus.Channel.IsReady);
        return cable;
    }

    public CableEnd Other(CableEnd end) => end == Plus ? Minus : Plus;

    public void Carry(CableEnd from, byte[] datagram)
    {
        for (int copies = _random.NextDouble() < Doubling ? 2 : 1; copies > 0; copies--)
        {
            if (_random.NextDouble() >= Loss && Lose?.Invoke(from, datagram) != true)
            {
                long delay = DelayNanos + (JitterNanos == 0 ? 0 : _random.NextInt64(JitterNanos));
                _onTheWay.Enqueue((Other(from), datagram), (Now + delay, _order++));
            }
        }
    }

    /// <summary>Lets time pass; <paramref name="each"/> is called once per millisecond.</summary>
    public void Run(long nanos, Action? each = null)
    {
        long end = Now + nanos,
            next = Now + Millisecond;
        while (true)
        {
            long then = Math.Min(
                Math.Min(Deadline(Plus), Deadline(Minus)),
                Math.Min(end, each is null ? long.MaxValue : next)
            );
            if (_onTheWay.TryPeek(out _, out (long Time, long Order) first) && first.Time <= then)
            {
                Now = Math.Max(Now, first.Time);
                (CableEnd to, byte[] datagram) = _onTheWay.Dequeue();
                if (to.IsRunning)
                {
                    to.Arrive(datagram);
                }

                continue;
            }

            Now = Math.Max(Now, then);
            if (Now >= end)
            {
                return;
            }

            if (each is not null && Now >= next)
            {
                next += Millisecond;
                each();
            }

            Poll(Plus);
            Poll(Minus);
        }
    }

    /// <summary>How long it takes until it is so, in nanoseconds; fails after a while.</summary>
    public long Until(Func<bool> condition, string what, long most = 60 * Second)
    {
        long begin = Now;
        while (!condition())
        {
            Assert.True(Now - begin < most, $"{what}: not within {most / 1e9} s");
            Run(Millisecond / 10);
        }

        return Now - begin;
    }

    private static long Deadline(CableEnd end) => end.IsRunning ? end.Channel.Deadline : long.MaxValue;

    private void Poll(CableEnd end)
    {
        if (end.IsRunning)
        {
            end.Drain();
        }
    }
}
