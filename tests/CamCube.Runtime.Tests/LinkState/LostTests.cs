using System.Runtime.InteropServices;
using CamCube.Runtime.Core;

namespace CamCube.Runtime.Tests.LinkState;

public sealed class LostTests
{
    private const long Ms = LinkStateCube.Millisecond;

    [Fact]
    public void A_server_that_never_saw_itself_alone_but_was_lost_to_the_others_is_told_and_returns()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(1, 1, 5), isCommissioned: true);
        TestServer server = cube[2];
        cube.Cut(2, Link.ZPlus);
        cube.Run(400 * Ms);

        // Its other cable fails, and before anybody notices the first is mended; but that news is slow to leave server
        // 3.
        cube.Cut(2, Link.ZMinus);
        cube.Run(100 * Ms);
        cube.Cut(2, Link.ZPlus, cut: false);
        cube.Loses = (from, link, header) =>
            from.Rank == 3 && link == Link.ZPlus && (header.Flags & LinkStateFlags.Batch) != 0;
        cube.RunUntil(() => !cube[1].View.IsReachable(new(0, 0, 1), server.Coordinate), 130 * Ms);
        cube.RunUntil(() => server.Up == (LinkSet)Link.ZPlus, 60 * Ms);
        cube.Loses = static (_, _, _) => false;
        cube.Run(100 * Ms);

        // For all others it was gone for a moment, for itself it was not.
        Assert.Contains(cube[0].Events, e => e.EndsWith("lost 0,0,2", StringComparison.Ordinal));
        Assert.DoesNotContain(server.Events, e => e.Contains("keys suspended", StringComparison.Ordinal));
        Assert.True(cube[0].View.IsReachable(default, server.Coordinate));
        Assert.True(server.HasKeys);

        cube.Cut(2, Link.ZMinus, cut: false);
        cube.RunUntil(() => server.Returns == 1, 100 * Ms);
        Assert.Contains(server.Events, e => e.EndsWith("keys suspended", StringComparison.Ordinal));
        cube.RunUntil(cube.IsWhole, 300 * Ms);
        cube.Run(1_000 * Ms);
        Assert.Equal(1, server.Returns);
        Assert.All(cube.Alive, s => Assert.Equal(s == server ? 1 : 0, s.Returns));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Only_keys_that_were_announced_before_are_lost(bool isCommissioned)
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 1), isCommissioned);
        FailureTests.Clear(cube);
        TestServer server = cube[4];
        int returns = server.Returns;
        if (!isCommissioned)
        {
            Tell(cube, server, 1_000, 1, 0);
            Assert.True(server.HasKeys);
            Assert.Empty(server.Events);
        }

        // Told with the present entry: keys go, all links go down, and it comes back like a server that was restarted.
        ulong incarnation = server.View.EntryOf(server.Coordinate).Incarnation;
        uint sequence = server.View.EntryOf(server.Coordinate).Sequence;
        Tell(cube, server, 1_001, incarnation, sequence);
        Assert.False(server.HasKeys);
        Assert.True(server.Up.IsEmpty);
        Assert.False(server.IsSettled);
        cube.RunUntil(cube.IsWhole, 400 * Ms);
        Assert.True(server.IsSettled);
        Assert.Equal(returns + 1, server.Returns);

        // Told again of the same loss: the keys of now are younger.
        FailureTests.Clear(cube);
        Tell(cube, server, 1_002, incarnation, sequence);
        cube.Run(500 * Ms);
        Assert.Empty(server.Events);
    }

    private static void Tell(LinkStateCube cube, TestServer server, uint number, ulong incarnation, uint sequence)
    {
        var header = new LinkStateHeader
        {
            Flags = LinkStateFlags.Hears | LinkStateFlags.Lost,
            Number = number,
            Heard = number,
            LostSequence = sequence,
            LostIncarnation = incarnation,
            Incarnation = 1,
            ReceiverIncarnation = server.Incarnation,
            Digest = server.View.Digest,
        };
        byte[] bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<LinkStateHeader>(in header)).ToArray();
        server.Receive(Link.XPlus, bytes, [], cube.Shape.Step(server.Coordinate, Link.XPlus));
    }
}
