using System.Runtime.InteropServices;
using CamCube.Runtime.Core;

namespace CamCube.Runtime.Tests.LinkState;

public sealed class ExchangeTests
{
    private const long Ms = LinkStateCube.Millisecond;

    [Fact]
    public void That_the_cube_is_commissioned_reaches_those_who_learned_from_each_other_before()
    {
        // 1 and 2 start anew and find each other; then only 1 gets to know the cube, in which 4, 5 and 6 never had to
        // say anything.
        LinkStateCube cube = FailureTests.Settled(new TorusShape(1, 1, 7), isCommissioned: true);
        cube.Kill(1);
        cube.Kill(2);
        cube.Cut(0, Link.ZPlus);
        cube.Cut(2, Link.ZPlus);
        cube.Run(400 * Ms);
        cube.Revive(1);
        cube.Revive(2);
        cube.Run(400 * Ms);
        Assert.True(cube[2].Up.Contains(Link.ZMinus));
        Assert.False(cube[2].View.IsReachable(new(0, 0, 2), new(0, 0, 5)));
        cube.Cut(0, Link.ZPlus, cut: false);
        cube.RunUntil(() => cube[1].Up.Contains(Link.ZMinus), 200 * Ms);
        cube.Run(2 * Ms);
        Assert.Equal(7, cube[2].View.ReachableCount(new(0, 0, 2)));
        Assert.True(cube[2].View.IsCommissioned);
        Assert.Equal(0, cube.Counters["resynchronised"].Value);
    }

    [Fact]
    public void That_the_cube_is_commissioned_is_passed_on_even_without_other_news()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(1, 1, 5), isCommissioned: false);
        var header = new LinkStateHeader
        {
            Flags = LinkStateFlags.Hears | LinkStateFlags.Batch | LinkStateFlags.Complete | LinkStateFlags.Commissioned,
            Number = 1_000,
            Incarnation = 1,
            ReceiverIncarnation = 1,
        };
        byte[] bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<LinkStateHeader>(in header)).ToArray();
        cube[2].Receive(Link.ZMinus, bytes, [], new(0, 0, 1));
        cube.Run(2 * Ms);
        Assert.All(cube.Alive, s => Assert.True(s.View.IsCommissioned));
    }

    [Fact]
    public void An_interruption_that_only_one_end_noticed_is_mended()
    {
        // One cable in all, or the other end would have heard of it by another way and had something to say.
        var shape = new TorusShape(2, 1, 1, parallelCables: false);
        LinkStateCube cube = FailureTests.Settled(shape, isCommissioned: false);
        bool isCut = true;
        cube.Loses = (from, _, header) => from.Rank == 0 ? isCut : (header.Flags & LinkStateFlags.Hears) == 0;
        for (int i = 0; i < 30; i++)
        {
            // Packets of services still arrive there.
            cube[0].HearOtherTraffic(Link.XPlus);
            cube.Run(10 * Ms);
        }

        Assert.False(cube[1].Up.Contains(Link.XMinus));
        Assert.True(cube[0].Up.Contains(Link.XPlus));
        isCut = false;
        cube.RunUntil(() => cube[1].Up.Contains(Link.XMinus), 100 * Ms);
        cube.RunUntil(cube.IsWhole, 200 * Ms);
        Assert.Equal(0, cube.Counters["resynchronised"].Value);
    }

    [Fact]
    public void Views_that_differ_for_long_without_reason_are_exchanged_again()
    {
        // What must not happen, made to happen: batches to server 1 are lost and yet acknowledged.
        LinkStateCube cube = FailureTests.Settled(new TorusShape(4, 1, 1), isCommissioned: true);
        cube.Loses = (from, link, header) =>
        {
            bool isLost =
                from.Shape.Step(from.Coordinate, link) == new Coordinate(1, 0, 0)
                && (header.Flags & LinkStateFlags.Batch) != 0;
            if (isLost)
            {
                var answer = new LinkStateHeader
                {
                    Flags = LinkStateFlags.Hears,
                    Number = 1_000_000,
                    Acknowledged = header.Number,
                    Incarnation = cube[1].Incarnation,
                    ReceiverIncarnation = from.Incarnation,
                };
                byte[] bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<LinkStateHeader>(in answer)).ToArray();
                cube.Deliver(cube.Now + 1, from.Rank, link, bytes, [], new(1, 0, 0));
            }

            return isLost;
        };
        cube.Cut(2, Link.XPlus);
        cube.Run(250 * Ms);
        Assert.False(cube.AllViewsAreEqual());
        cube.Loses = static (_, _, _) => false;
        cube.RunUntil(cube.AllViewsAreEqual, 1_000 * Ms);
        Assert.True(cube.Counters["resynchronised"].Value > 0);
        long before = cube.Counters["resynchronised"].Value;
        cube.Run(2_000 * Ms);
        Assert.Equal(before, cube.Counters["resynchronised"].Value);
    }

    [Fact]
    public void What_was_said_to_an_earlier_run_does_not_count_for_this_one()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 1, 1), isCommissioned: true);
        cube.Kill(0);
        cube.Loses = static (_, _, _) => true;
        cube.Revive(0);
        cube.Run(Ms);
        foreach (ulong meant in (ulong[])[0, 1, cube[0].Incarnation])
        {
            var header = new LinkStateHeader
            {
                Flags = LinkStateFlags.Hears | LinkStateFlags.Batch | LinkStateFlags.Complete,
                Number = (uint)meant + 1,
                Heard = 1,
                Incarnation = 1,
                ReceiverIncarnation = meant,
            };
            byte[] bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<LinkStateHeader>(in header)).ToArray();
            cube[0].Receive(Link.XPlus, bytes, [], new(1, 0, 0));
            Assert.Equal(meant == cube[0].Incarnation, cube[0].Up.Contains(Link.XPlus));
        }
    }
}
