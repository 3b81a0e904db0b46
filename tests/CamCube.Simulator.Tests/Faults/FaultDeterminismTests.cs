using CamCube.Faults;
using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Tests.Faults;

/// <summary>Runs with every fault on are equal for equal seeds, and no packet is lost without being counted.</summary>
public sealed class FaultDeterminismTests
{
    private static readonly TorusShape Shape = new(3, 3, 2);

    [Fact]
    public void Equal_seeds_give_equal_hashes_with_every_fault_on()
    {
        (ulong Hash, LinkFaultCounts Counts)[] runs = [Run(1, 0), Run(1, 0), Run(2, 0), Run(1, 3), Run(1, 5)];
        Assert.Equal(runs[0], runs[1]);
        Assert.NotEqual(runs[0].Hash, runs[2].Hash);

        // However time is cut into pieces, and whatever the number of threads.
        Assert.Equal(runs[0], runs[3]);
        Assert.Equal(runs[0], runs[4]);
        Assert.Equal(runs[0], Run(1, 0, threads: 2));
        Assert.Equal(runs[0], Run(1, 3, threads: 3));
        LinkFaultCounts c = runs[0].Counts;
        Assert.All(
            (long[])[c.Lost, c.Cut, c.Garbled, c.Corrupted, c.Duplicated, c.Delayed, c.HeldBack, c.Slowed],
            n => Assert.True(n > 20, $"{c}")
        );
    }

    [Fact]
    public void Every_packet_that_was_sent_or_copied_arrived_or_was_lost_for_a_counted_reason()
    {
        using SimulatedCube cube = Make(4);
        List<IDisposable> rules = AddAll(cube);
        cube.CutOneWay(3, Link.YPlus);
        cube.Advance(TimeSpan.FromMilliseconds(5));
        rules.ForEach(r => r.Dispose());
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            cube.RemoveService(rank, new ServiceId(Traffic.Id));
        }

        for (int i = 0; i < 10_000 && cube.PacketsOutstanding > 0; i++)
        {
            cube.AdvanceTo(cube.NowNanos + 10_000);
        }

        Assert.Equal(0, cube.PacketsOutstanding);
        long sent = 0,
            received = 0,
            full = 0;
        for (int rank = 0; rank < Shape.Count; rank++)
        {
            sent += cube.StatusOf(rank).Links.Sum(l => l.SentPackets);
            received += cube.StatusOf(rank).Links.Sum(l => l.ReceivedPackets);
            full += cube.DropsOf(rank, DropReason.ReceiveFull);
        }

        Assert.True(cube.LostOnCables > cube.LinkFaults.Counts.AllLost);
        Assert.Equal(sent + cube.LinkFaults.Counts.Duplicated, received + full + cube.LostOnCables);
    }

    [Fact]
    public void Faults_on_one_link_do_not_change_what_servers_draw()
    {
        using SimulatedCube plain = Make(6),
            faulty = Make(6);
        using IDisposable loss = faulty.LinkFaults.Add(new PacketLoss(0.5), LinkScope.From(Shape.At(0)));
        plain.Advance(TimeSpan.FromMilliseconds(2));
        faulty.Advance(TimeSpan.FromMilliseconds(2));
        Assert.True(faulty.LinkFaults.Counts.Lost > 20);
        Assert.NotEqual(plain.TraceHash, faulty.TraceHash);

        // Traffic is sent by timers with random numbers only, so every server sent as much as without losses.
        Assert.All(Enumerable.Range(0, Shape.Count), rank => Assert.Equal(SentBy(plain, rank), SentBy(faulty, rank)));

        static long SentBy(SimulatedCube cube, int rank) =>
            cube.StatusOf(rank).Services.Single(s => s.Id.Value == Traffic.Id).Sent;
    }

    private static (ulong Hash, LinkFaultCounts Counts) Run(ulong seed, int pieces, int threads = 1)
    {
        using SimulatedCube cube = Make(seed, threads);
        List<IDisposable> rules = AddAll(cube);
        cube.Pause(5, TimeSpan.FromMilliseconds(1));
        cube.SetClock(6, TimeSpan.FromMilliseconds(3), 500);
        cube.SetClock(7, TimeSpan.FromMilliseconds(-1));
        Advance(3_000_000);
        rules.ForEach(r => r.Dispose());
        Advance(5_000_000);
        return (cube.TraceHash, cube.LinkFaults.Counts);

        void Advance(long end)
        {
            var random = new Random(pieces);
            while (pieces > 0 && cube.NowNanos < end)
            {
                cube.AdvanceTo(Math.Min(end, cube.NowNanos + random.Next(1, 20_000)));
            }

            cube.AdvanceTo(end);
        }
    }

    private static SimulatedCube Make(ulong seed, int threads = 1) =>
        new(
            Shape,
            [Traffic.Define(made: static (_, t) => t.Server.Loop.Post(static s => ((Traffic)s!).Begin(), t))],
            new SimulatorOptions { Seed = seed, Threads = threads }
        );

    private static List<IDisposable> AddAll(SimulatedCube cube)
    {
        (LinkFault Fault, LinkScope? Scope)[] rules =
        [
            (new PacketLoss(0.05), null),
            (new PacketCorruption(0.1), null),
            (new PacketDuplication(0.05), null),
            (
                new PacketDelay(TimeSpan.FromMicroseconds(30), TimeSpan.FromMicroseconds(50)),
                LinkScope.Server(Shape.At(1))
            ),
            (new PacketReordering(0.1, TimeSpan.FromMicroseconds(40)), null),
            (new LinkRateLimit(300_000_000), LinkScope.From(Shape.At(2))),
            (new LinkFlapping(TimeSpan.FromMilliseconds(1), 0.5), LinkScope.Cable(Shape.At(4), Link.YPlus)),
            (new LinkCut(), LinkScope.Leaving(ServerSet.Plane(Shape, 0, 0))),
        ];
        return [.. rules.Select(r => cube.LinkFaults.Add(r.Fault, r.Scope))];
    }
}
