using System.Globalization;

namespace CamCube.Benchmarks.Cables;

/// <summary>Round trips over 1 to 15 hops of a ring of 30 server processes, both ways round: each hop may cost what one
/// does, and little more.</summary>
internal static class RingRun
{
    private const int Servers = 30,
        Furthest = Servers / 2;
    private const string Shape = "1x1x30";

    /// <summary>Asked: RTT(n) is at most this many times n RTT(1).</summary>
    private const double Most = 1.3;

    /// <summary>Measures some frame lengths and prints a table of each.</summary>
    /// <param name="mtus">Bytes of a frame without its Ethernet header.</param>
    /// <param name="rounds">Rounds; in each all distances take turns, ping by ping.</param>
    /// <param name="pings">Round trips per distance and round, one after the other.</param>
    public static void Run(IEnumerable<int> mtus, int rounds, int pings)
    {
        foreach (int mtu in mtus)
        {
            using Namespaces ring = Namespaces.Ring(Servers, mtu);
            CableProcess[] nodes = [.. Enumerable.Range(0, Servers).Select(rank => Node(ring, rank))];
            try
            {
                foreach (CableProcess node in nodes)
                {
                    node.AwaitServers(Servers);
                }

                Print(mtu, Measure(nodes[0], mtu, rounds, pings));
            }
            finally
            {
                foreach (CableProcess node in nodes)
                {
                    node.Dispose();
                }
            }
        }
    }

    // Neighbours on different processors, as in the other round trips: no hop finds its processor awake by chance.
    // Thirty processes that compile again what runs often, and thirty times ten heartbeats a second, would be measured
    // too.
    private static CableProcess Node(Namespaces ring, int rank) =>
        new(
            ring.Start(
                rank.ToString(CultureInfo.InvariantCulture),
                Environment.ProcessPath!,
                [
                    "cables-node",
                    rank.ToString(CultureInfo.InvariantCulture),
                    Shape,
                    "Interfaces=+z=eth1,-z=eth2",
                    "Detection=5",
                ],
                rank,
                compilesOnce: true
            )
        );

    /// <summary>Medians and 99th percentiles in microseconds, by hops: the means of both ways round, and of these the
    /// medians of all rounds.</summary>
    private static (double Middle, double Late)[] Measure(CableProcess first, int mtu, int rounds, int pings)
    {
        int body = mtu + 14 - Packet.FrameOverhead - 16;
        var middle = new double[Furthest + 1, rounds];
        var late = new double[Furthest + 1, rounds];

        // Ping by ping in turn: all servers share the processors' caches, and two that only talk to each other would
        // find theirs warm. To both sides alike: over half the ring a packet may go either way, and there it would meet
        // servers that nothing else wakes.
        string ranks = string.Join(',', Enumerable.Range(1, Servers - 1));
        for (int round = -1; round < rounds; round++)
        {
            string[] answer = first
                .Ask(string.Create(CultureInfo.InvariantCulture, $"ping {ranks} {pings} {body}"))
                .Split(' ');

            // The first round is when programs are translated.
            for (int hops = 1; hops <= Furthest && round >= 0; hops++)
            {
                middle[hops, round] = BothWays(answer, hops, 0);
                late[hops, round] = BothWays(answer, hops, 1);
            }
        }

        return [.. Enumerable.Range(0, Furthest + 1).Select(hops => (Of(middle, hops), Of(late, hops)))];

        static double BothWays(string[] answer, int hops, int what) =>
            (Number(answer, hops, what) + Number(answer, Servers - hops, what)) / 2;

        // Two numbers per rank, from rank 1 on.
        static double Number(string[] answer, int rank, int what) =>
            double.Parse(answer[(2 * (rank - 1)) + what], CultureInfo.InvariantCulture);

        double Of(double[,] all, int hops)
        {
            double[] sorted = [.. Enumerable.Range(0, rounds).Select(round => all[hops, round]).Order()];
            return sorted[rounds / 2];
        }
    }

    private static void Print(int mtu, (double Middle, double Late)[] trips)
    {
        double one = trips[1].Middle;
        Console.WriteLine();
        Console.WriteLine(
            $"ring {Shape}, {mtu + 14} B   hops     RTT us     p99 us   RTT(n) / n RTT(1), "
                + $"asked <= {Most.ToString(CultureInfo.InvariantCulture)}"
        );
        for (int hops = 1; hops <= Furthest; hops++)
        {
            double ratio = trips[hops].Middle / (hops * one);
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{hops, 26}{trips[hops].Middle, 11:F1}{trips[hops].Late, 11:F1}{ratio, 9:F2}"
                        + $"{(ratio > Most ? "  missed" : "")}"
                )
            );
        }
    }
}
