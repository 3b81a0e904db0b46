using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>A service's queue and its sources take turns on a link by bytes, within the service's own turn.</summary>
public sealed class SourceTurnTests
{
    private static readonly Coordinate There = new(2, 1, 0);
    private readonly Script _script = new();
    private readonly Dictionary<Coordinate, long> _received = [];

    public SourceTurnTests() =>
        _script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            if (!hop.IsDestination)
            {
                return Verdict.Via(Link.XPlus);
            }

            _received[packet.Source] = _received.GetValueOrDefault(packet.Source) + packet.WireLength;
            return Verdict.Consume;
        };

    [Theory]
    [InlineData(1_500, 1_500)]
    [InlineData(9_000, 200)]
    [InlineData(200, 9_000)]
    public void A_relays_own_source_gets_half_of_a_link_that_three_flows_pass(int flowing, int own)
    {
        using TestCube cube = Relay(out Scripted relay);
        Flow(cube, flowing);
        relay.Poll = _ => Make(relay, own);
        relay.Server.AddSource(relay).Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(100));
        long source = _received[relay.Server.Coordinate],
            queue = _received.Values.Sum() - source;
        Assert.True(source + queue > 0.95 * 100 * 125_000, $"{source} + {queue}");
        Assert.InRange((double)source / queue, 0.9, 1.1);
    }

    [Fact]
    public void Four_sources_and_the_queue_share_by_weight_whatever_their_sizes_and_another_service_has_its_own_half()
    {
        Script other = new();
        using TestCube cube = new TestCube(5, 5, 1).Add(_script.Define(0x0301)).Add(other.Define(0x0302));
        _ = cube.Cube;
        Scripted relay = _script[cube.Shape.RankOf(new Coordinate(1, 1, 0))];
        Flow(cube, 1_500);
        int[] weights = [1, 2, 3, 4],
            sizes = [9_000, 100, 1_500, 700];
        long[] sent = new long[4];
        for (int i = 0; i < 4; i++)
        {
            int mine = i;
            relay.Server.AddSource(new Source(_ => Make(relay, sizes[mine], ref sent[mine])), weights[i]).Ready =
                Link.XPlus;
        }

        Scripted rival = other[cube.Shape.RankOf(relay.Server.Coordinate)];
        rival.Poll = _ => Make(rival, 4_000);
        rival.Server.AddSource(rival).Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(200));
        long sources = _received[relay.Server.Coordinate],
            queue = _received.Values.Sum() - sources;
        double total = sources + queue;
        Assert.InRange(total / (200 * 125_000), 0.475, 0.525);
        AssertShare(1, queue / total);
        for (int i = 0; i < 4; i++)
        {
            AssertShare(weights[i], sent[i] / total);
        }

        static void AssertShare(int weight, double share) =>
            Assert.InRange(share, 0.95 * weight / 11, 1.05 * weight / 11);
    }

    [Fact]
    public void Who_has_nothing_for_a_while_saves_nothing_up()
    {
        using TestCube cube = Relay(out Scripted relay);
        bool pause = true;
        long first = 0,
            second = 0;
        IOutboundTurn turn = relay.Server.AddSource(new Source(_ => pause ? null : Make(relay, 1_500, ref first)));
        turn.Ready = Link.XPlus;
        relay.Server.AddSource(new Source(_ => Make(relay, 1_500, ref second))).Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.True(turn.Ready.IsEmpty);
        (pause, second) = (false, 0);
        turn.Ready = Link.XPlus;
        Flow(cube, 1_500);
        cube.Advance(TimeSpan.FromMilliseconds(5));
        long queue = _received.Values.Sum() - _received[relay.Server.Coordinate];
        Assert.InRange((double)first / second, 0.95, 1.05);
        Assert.InRange((double)queue / second, 0.9, 1.1);
    }

    [Fact]
    public void A_source_that_always_says_it_has_something_and_never_has_takes_nothing_from_the_others()
    {
        using TestCube cube = Relay(out Scripted relay);
        IOutboundTurn liar = null!;
        liar = relay.Server.AddSource(
            new Source(link =>
            {
                liar.Ready |= link;
                return null;
            }),
            1_000
        );
        ServerTimer again = null!;
        again = relay.Server.CreateTimer(() =>
        {
            liar.Ready = Link.XPlus;
            again.Arm(TimeSpan.FromMicroseconds(1));
        });
        again.Arm(TimeSpan.Zero);
        long own = 0;
        relay.Server.AddSource(new Source(_ => Make(relay, 1_500, ref own))).Ready = Link.XPlus;
        Flow(cube, 1_500);
        cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.InRange((double)own / (50 * 125_000), 0.475, 0.525);
        Assert.InRange((double)_received.Values.Sum() / (50 * 125_000), 0.95, 1);
    }

    [Fact]
    public void A_poll_that_queues_its_packet_and_gives_none_lets_the_head_of_the_queue_leave()
    {
        using TestCube cube = Relay(out Scripted relay);
        Flow(cube, 1_500);
        int queued = 0;
        IOutboundTurn turn = null!;
        turn = relay.Server.AddSource(
            new Source(link =>
            {
                // As streams do (they go behind what passes): whoever gets acknowledgements says later that there is
                // more.
                if (relay.Server.Queue.Count == 0)
                {
                    return Make(relay, 1_500);
                }

                queued++;
                Assert.Equal(SendResult.Accepted, relay.Server.SendVia(Make(relay, 1_500), link));
                return null;
            })
        );
        ServerTimer more = null!;
        more = relay.Server.CreateTimer(() =>
        {
            turn.Ready = relay.Server.Queue.Room > 100 ? Link.XPlus : LinkSet.None;
            more.Arm(TimeSpan.FromMicroseconds(48));
        });
        more.Arm(TimeSpan.FromMilliseconds(1));
        cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.InRange(queued, 50, 1_000);
        Assert.InRange((double)_received.Values.Sum() / (50 * 125_000), 0.95, 1);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_poll_that_gives_none_and_says_that_there_is_more_is_asked_with_each_packet_of_others(bool hasOthers)
    {
        using TestCube cube = Relay(out Scripted relay);
        if (hasOthers)
        {
            Flow(cube, 1_500);
        }

        cube.Advance(TimeSpan.FromMilliseconds(10));
        int asked = 0;
        IOutboundTurn turn = null!;
        turn = relay.Server.AddSource(
            new Source(link =>
            {
                asked++;
                turn.Ready |= link;
                return null;
            })
        );
        turn.Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(12));

        // 12 us per packet; where nobody sends, not for ever.
        Assert.InRange(asked, hasOthers ? 950 : 1, hasOthers ? 1_050 : 1);
        Assert.Equal(hasOthers, !turn.Ready.IsEmpty);
    }

    [Fact]
    public void Every_source_that_is_ready_for_this_server_itself_gives_one_packet_per_round()
    {
        using TestCube cube = Relay(out Scripted relay);
        var order = new List<int>();
        IOutboundTurn[] turns =
        [
            .. Enumerable
                .Range(0, 3)
                .Select(i =>
                    relay.Server.AddSource(
                        new Source(_ =>
                        {
                            if (order.Count(o => o == i) == i + 1)
                            {
                                return null;
                            }

                            order.Add(i);
                            return Make(relay, 100);
                        })
                    )
                ),
        ];
        Array.ForEach(turns, t => t.Ready = Link.Local);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal([0, 1, 2, 1, 2, 2], order);
        Assert.All(turns, t => Assert.True(t.Ready.IsEmpty));
        cube.AssertQuiet();
    }

    [Fact]
    public void Links_that_come_back_ask_those_sources_that_wait_for_them()
    {
        using TestCube cube = Relay(out Scripted relay);
        long[] sent = new long[2];
        int[] polls = new int[3];
        for (int i = 0; i < 3; i++)
        {
            int mine = i;
            relay
                .Server.AddSource(
                    new Source(link =>
                    {
                        polls[mine]++;
                        return mine == 2 ? null : Make(relay, 1_500, ref sent[mine]);
                    })
                )
                .Ready = Link.XPlus;
        }

        cube.Cut(relay.Server.Coordinate, Link.XPlus);
        cube.AwaitConverged();
        (int was, long first) = (polls.Sum(), sent[0]);
        cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.Equal(was, polls.Sum());
        cube.Mend(relay.Server.Coordinate, Link.XPlus);
        cube.AwaitConverged();
        cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.True(sent[0] - first > 0.4 * 20 * 125_000);
        Assert.InRange((double)sent[0] / sent[1], 0.99, 1.01);
        Assert.Equal(1, polls[2]);
    }

    [Fact]
    public void A_fifth_source_and_weights_out_of_range_are_refused_and_a_fault_ends_all_sources()
    {
        using TestCube cube = Relay(out Scripted old);
        Coordinate at = old.Server.Coordinate;
        Assert.Throws<ArgumentOutOfRangeException>(() => old.Server.AddSource(old, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => old.Server.AddSource(old, 1_001));
        Assert.Throws<ArgumentNullException>(() => old.Server.AddSource(null!));
        int polls = 0;
        IOutboundTurn[] turns =
        [
            .. Enumerable
                .Range(0, 4)
                .Select(i =>
                    old.Server.AddSource(
                        new Source(link =>
                        {
                            polls++;
                            return i == 3 && polls > 20
                                ? throw new InvalidOperationException("in a poll")
                                : Make(old, 1_500);
                        }),
                        1_000
                    )
                ),
        ];
        Assert.Contains(
            "4",
            Assert.Throws<InvalidOperationException>(() => old.Server.AddSource(old)).Message,
            StringComparison.Ordinal
        );
        Array.ForEach(turns, t => t.Ready = (LinkSet)Link.XPlus | Link.Local);
        cube.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal("in a poll", Assert.Single(cube.Faults).Exception.Message);

        Scripted young = _script[cube.Shape.RankOf(at)];
        Assert.NotSame(old, young);
        int before = polls;
        Array.ForEach(turns, t => t.Ready = (LinkSet)Link.XPlus | Link.Local);
        old.Server.AddSource(old).Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal((before, 0), (polls, old.Polls));
        for (int i = 0; i < 4; i++)
        {
            young.Server.AddSource(young).Ready = Link.XPlus;
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(4, young.Polls);
        cube.AssertNoPackets();
    }

    private static TestCube Relay(Script script, out Scripted relay)
    {
        TestCube cube = new TestCube(5, 5, 1).Add(script.Define());
        _ = cube.Cube;
        relay = script[cube.Shape.RankOf(new Coordinate(1, 1, 0))];
        return cube;
    }

    private static Packet Make(Scripted self, int size)
    {
        Packet packet = self.Rent();
        packet.Destination = There;
        packet.VirtualLength = size - packet.WireLength;
        return packet;
    }

    private static Packet Make(Scripted self, int size, ref long sent)
    {
        sent += size;
        return Make(self, size);
    }

    private TestCube Relay(out Scripted relay) => Relay(_script, out relay);

    /// <summary>Three neighbours of the relay send through it as fast as their links go: three times what its own link
    /// takes.</summary>
    private void Flow(TestCube cube, int size)
    {
        foreach (
            (Coordinate from, Link by) in (ReadOnlySpan<(Coordinate, Link)>)
                [(new(0, 1, 0), Link.XPlus), (new(1, 0, 0), Link.YPlus), (new(1, 2, 0), Link.YMinus)]
        )
        {
            Scripted sender = _script[cube.Shape.RankOf(from)];
            sender.Server.Loop.Run(async () =>
            {
                while (await sender.Server.Queue.RoomAsync(1))
                {
                    sender.Server.SendVia(Make(sender, size), by);
                }
            });
        }
    }

    private sealed class Source(Func<Link, Packet?> poll) : IPacketSource
    {
        public Packet? OnPoll(Link link) => poll(link);
    }
}
