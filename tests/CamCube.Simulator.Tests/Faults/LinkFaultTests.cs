using CamCube.Faults;
using CamCube.Simulator.Engine;

namespace CamCube.Simulator.Tests.Faults;

/// <summary>Each kind of fault bites, is counted, and heals.</summary>
public sealed class LinkFaultTests
{
    [Fact]
    public void Loss_loses_its_share_and_heals()
    {
        using var pair = new FaultyPair();
        using (pair.Add(new PacketLoss(0.3)))
        {
            pair.Send(1_000);
            Assert.InRange(pair.Arrivals.Count, 640, 760);
            Assert.Equal(1_000 - pair.Arrivals.Count, pair.Counts.Lost);
        }

        AssertHealed(pair);
    }

    [Fact]
    public void Lost_packets_take_their_time_on_the_link()
    {
        using var pair = new FaultyPair();
        using IDisposable loss = pair.Cube.LinkFaults.Add(
            new ChosenLoss((_, _, packet) => packet.Header<long>() != 4),
            FaultyPair.There
        );
        long begin = pair.Cube.NowNanos;
        pair.Burst(5, 1_000 - FaultyPair.Least);
        pair.Wait(1);
        Assert.Equal([(begin + (5 * 8_000) + 500, Link.XMinus, 4L)], pair.Arrivals);
        Assert.Equal(4, pair.Counts.Lost);
    }

    [Fact]
    public void Corruption_changes_what_can_be_read_and_loses_the_rest()
    {
        using var pair = new FaultyPair();
        using (pair.Add(new PacketCorruption(1)))
        {
            pair.Send(2_000);
            Assert.True(pair.Counts.Corrupted > 500 && pair.Counts.Garbled > 200, $"{pair.Counts}");
            Assert.Equal(2_000, pair.Counts.Corrupted + pair.Counts.Garbled);
            long elsewhere = pair.Cube.StatusOf(1).Drops.Sum(d => d.Count);
            Assert.True(elsewhere > 50, "No header was broken so that the receiver noticed");

            // 8 of 36 bytes are the number.
            Assert.InRange(pair.Numbers.Count(n => n is < 0 or >= 2_000), 200, 600);
            Assert.All(
                pair.Numbers.Where(n => n is < 0 or >= 2_000),
                n =>
                    Assert.InRange(
                        Enumerable.Range(0, 2_000).Min(i => System.Numerics.BitOperations.PopCount((ulong)(n ^ i))),
                        1,
                        1
                    )
            );
        }

        AssertHealed(pair);
    }

    [Fact]
    public void Nobody_notices_a_turned_virtual_bit()
    {
        using var pair = new FaultyPair();
        using IDisposable corruption = pair.Add(new PacketCorruption(1));
        pair.Send(100, virtualBytes: 8_900);
        pair.Wait(10);

        // 36 of 8,936 bytes are not virtual.
        Assert.InRange(pair.Arrivals.Count(a => a.Number is >= 0 and < 100), 95, 100);
        Assert.Equal(100, pair.Counts.Corrupted + pair.Counts.Garbled);
    }

    [Fact]
    public void Duplicates_come_right_behind()
    {
        using var pair = new FaultyPair();
        using (pair.Add(new PacketDuplication(1)))
        {
            pair.Send(10);
            Assert.Equal(20, pair.Arrivals.Count);
            for (int i = 0; i < 20; i += 2)
            {
                Assert.Equal(pair.Arrivals[i], pair.Arrivals[i + 1]);
                Assert.Equal(i / 2, pair.Arrivals[i].Number);
            }

            Assert.Equal(10, pair.Counts.Duplicated);
        }

        AssertHealed(pair);
    }

    [Fact]
    public void Delay_is_exact_and_ends_with_its_rule()
    {
        using var pair = new FaultyPair();
        IDisposable delay = pair.Add(new PacketDelay(TimeSpan.FromMilliseconds(1)));
        long begin = pair.Cube.NowNanos;
        pair.Send(1, first: 1);
        delay.Dispose();
        pair.Send(1, first: 2);
        Assert.Equal([2L], pair.Numbers);
        pair.Wait(2);
        Assert.Equal((begin + 1_000_000 + 400 + 500, Link.XMinus, 1L), pair.Arrivals[1]);
        Assert.Equal(1, pair.Counts.Delayed);
    }

    [Fact]
    public void A_jittering_delay_keeps_the_order()
    {
        using var pair = new FaultyPair();
        using IDisposable delay = pair.Add(
            new PacketDelay(TimeSpan.FromMicroseconds(10), TimeSpan.FromMilliseconds(1))
        );
        pair.Send(500);
        Assert.True(pair.Arrivals.Count < 500);
        pair.Wait(2);
        Assert.Equal(Numbers(500), pair.Numbers);
        Assert.True(
            pair.Arrivals.Zip(pair.Arrivals.Skip(1)).Select(p => p.Second.At - p.First.At).Distinct().Count() > 10
        );
    }

    [Fact]
    public void Reordering_changes_the_order_and_loses_nothing()
    {
        using var pair = new FaultyPair();
        using (pair.Add(new PacketReordering(0.2, TimeSpan.FromMicroseconds(100))))
        {
            pair.Send(500);
            pair.Wait(1);
            Assert.NotEqual(Numbers(500), pair.Numbers);
            Assert.Equal(Numbers(500), pair.Numbers.Order());
            Assert.InRange(pair.Counts.HeldBack, 60, 140);
            Assert.True(
                pair.Arrivals.Zip(pair.Arrivals.Skip(1)).All(p => p.First.At <= p.Second.At),
                "Time ran backwards"
            );
        }

        AssertHealed(pair);
    }

    [Fact]
    public void A_rate_limit_is_the_links_rate_and_no_rate_is_raised()
    {
        using var pair = new FaultyPair();
        const int Bytes = 1_000 - FaultyPair.Least;
        long begin = pair.Cube.NowNanos;
        using (pair.Add(new LinkRateLimit(100_000_000)))
        {
            pair.Burst(3, Bytes);
            pair.Wait(1);
            Assert.Equal([begin + 80_500, begin + 160_500, begin + 240_500], pair.Arrivals.Select(a => a.At));
            Assert.Equal(3, pair.Counts.Slowed);
        }

        using IDisposable more = pair.Add(new LinkRateLimit(100_000_000_000));
        pair.Arrivals.Clear();
        begin = pair.Cube.NowNanos;
        pair.Burst(3, Bytes);
        pair.Wait(1);
        Assert.Equal([begin + 8_500, begin + 16_500, begin + 24_500], pair.Arrivals.Select(a => a.At));
    }

    [Fact]
    public void A_cut_loses_one_way_and_is_noticed_both_ways()
    {
        using var pair = new FaultyPair();
        SimulatedCube cube = pair.Cube;
        IDisposable cut = cube.LinkFaults.Add(new LinkCut(), LinkScope.Link(new Coordinate(0, 0, 0), Link.XPlus));
        cube.Service<Traffic>(1).SendVia(Link.XMinus);
        pair.Send(1);
        Assert.Single(cube.Service<Traffic>(0).Arrivals);
        Assert.Empty(pair.Arrivals);
        Assert.Equal(1, pair.Counts.Cut);
        pair.Wait(1_000);
        Assert.DoesNotContain(Link.XPlus, (IEnumerable<Link>)[.. cube.TopologyOf(0).LinksUp]);
        Assert.DoesNotContain(Link.XMinus, (IEnumerable<Link>)[.. cube.TopologyOf(1).LinksUp]);
        cut.Dispose();
        pair.Wait(1_000);
        Assert.Contains(Link.XPlus, (IEnumerable<Link>)[.. cube.TopologyOf(0).LinksUp]);
        Assert.Contains(Link.XMinus, (IEnumerable<Link>)[.. cube.TopologyOf(1).LinksUp]);
    }

    [Fact]
    public void A_flapping_link_carries_while_it_is_up()
    {
        using var pair = new FaultyPair();
        var flapping = new LinkFlapping(TimeSpan.FromMicroseconds(100), 0.25, TimeSpan.FromMicroseconds(30));
        using (pair.Add(flapping))
        {
            pair.Send(1_000);
            pair.Wait(1);
            Assert.Equal(
                Enumerable.Range(0, 1_000).Where(i => flapping.IsUpAt(10_000_000 + (2_000 * i))).Select(i => (long)i),
                pair.Numbers
            );
            Assert.InRange(pair.Arrivals.Count, 240, 260);
            Assert.Equal(1_000 - pair.Arrivals.Count, pair.Counts.Cut);
        }

        AssertHealed(pair);
    }

    [Fact]
    public void Rules_add_up_and_servers_without_rules_have_their_plain_links()
    {
        using var pair = new FaultyPair();
        Assert.IsType<SimulatedLinks>(pair.Cube.Running(0).Driver);
        IDisposable delay = pair.Add(new PacketDelay(TimeSpan.FromMicroseconds(50)));
        IDisposable copies = pair.Add(new PacketDuplication(1));
        Assert.IsNotType<SimulatedLinks>(pair.Cube.Running(0).Driver);
        Assert.IsType<SimulatedLinks>(pair.Cube.Running(1).Driver);
        Assert.Equal(2, pair.Cube.LinkFaults.Count);
        pair.Send(1);
        pair.Wait(1);
        Assert.Equal([10_050_900L, 10_050_900], pair.Arrivals.Select(a => a.At));
        delay.Dispose();
        delay.Dispose();
        Assert.Equal(1, pair.Cube.LinkFaults.Count);
        pair.Cube.LinkFaults.Heal();
        copies.Dispose();
        Assert.Equal(0, pair.Cube.LinkFaults.Count);
        Assert.IsType<SimulatedLinks>(pair.Cube.Running(0).Driver);
        pair.Send(1);
        Assert.Equal(3, pair.Arrivals.Count);
    }

    [Fact]
    public void A_server_that_starts_while_a_rule_is_in_force_obeys_it()
    {
        using var pair = new FaultyPair();
        using IDisposable loss = pair.Add(new PacketLoss(1));
        pair.Cube.Kill(0);
        pair.Cube.Revive(0);
        pair.Wait(2_000);
        pair.Send(3);
        Assert.Empty(pair.Arrivals);
        Assert.Equal(3, pair.Counts.Lost);
    }

    [Fact]
    public void Values_that_mean_nothing_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new PacketLoss(1.1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new PacketLoss(double.NaN));
        Assert.Throws<ArgumentOutOfRangeException>(() => new PacketCorruption(-0.1));
        Assert.Throws<ArgumentOutOfRangeException>(() => new PacketDuplication(2));
        Assert.Throws<ArgumentOutOfRangeException>(() => new PacketDelay(TimeSpan.FromTicks(-1)));
        Assert.Throws<ArgumentOutOfRangeException>(() => new PacketReordering(0.5, TimeSpan.FromDays(2)));
        Assert.Throws<ArgumentOutOfRangeException>(() => new LinkRateLimit(0));
        Assert.Throws<ArgumentOutOfRangeException>(() => new LinkFlapping(TimeSpan.Zero, 0.5));
        Assert.Throws<ArgumentOutOfRangeException>(() => new LinkFlapping(TimeSpan.FromSeconds(1), -0.5));
        using var pair = new FaultyPair();
        Assert.Throws<ArgumentOutOfRangeException>(() =>
            pair.Cube.LinkFaults.Add(new LinkCut(), LinkScope.From(new Coordinate(3, 0, 0)))
        );
        Assert.Equal(0, pair.Cube.LinkFaults.Count);
    }

    private static void AssertHealed(FaultyPair pair)
    {
        pair.Arrivals.Clear();
        pair.Send(100);
        Assert.Equal(Numbers(100), pair.Numbers);
    }

    private static IEnumerable<long> Numbers(int count) => Enumerable.Range(0, count).Select(i => (long)i);
}
