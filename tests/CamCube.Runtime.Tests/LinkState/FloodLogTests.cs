using CamCube.Runtime.Core;

namespace CamCube.Runtime.Tests.LinkState;

public sealed class FloodLogTests
{
    [Fact]
    public void What_a_neighbour_needs_comes_oldest_first_and_only_once_per_server()
    {
        var log = new FloodLog();
        log.Append(5, LinkSet.None);
        log.Append(7, Link.XPlus);
        log.Append(5, LinkSet.None);
        log.Append(9, LinkSet.None);
        Assert.Equal("7 5 9", Pick(log, Link.XMinus, 0, 10, out long end));
        Assert.Equal(4, end);
        Assert.Equal("5 9", Pick(log, Link.XPlus, 0, 10, out _));
        Assert.Equal("9", Pick(log, Link.XMinus, 3, 10, out _));
        Assert.True(log.IsPending(5, Link.XMinus, 2));
        Assert.False(log.IsPending(5, Link.XMinus, 3));
        Assert.False(log.HasPending(Link.XMinus, 4));
    }

    [Fact]
    public void A_batch_that_is_full_ends_before_the_first_that_did_not_fit()
    {
        var log = new FloodLog();
        for (int rank = 0; rank < 10; rank++)
        {
            log.Append(rank, rank == 3 ? Link.YPlus : LinkSet.None);
        }

        Assert.Equal("0 1 2 4", Pick(log, Link.YPlus, 0, 4, out long end));
        Assert.Equal(5, end);
        Assert.Equal("5 6 7 8 9", Pick(log, Link.YPlus, end, 5, out end));
        Assert.Equal(log.LastStamp, end);
        Assert.Equal("", Pick(log, Link.YPlus, 0, 0, out end));
        Assert.Equal(0, end);
    }

    [Fact]
    public void What_the_neighbour_sent_itself_is_not_sent_back_until_it_may_have_forgotten()
    {
        var log = new FloodLog();
        log.Append(1, LinkSet.None);
        log.MarkKnown(1, Link.ZMinus);
        log.MarkKnown(2, Link.ZMinus);
        Assert.False(log.HasPending(Link.ZMinus, 0));
        Assert.True(log.HasPending(Link.ZPlus, 0));
        log.ForgetKnown(Link.ZMinus);
        Assert.True(log.HasPending(Link.ZMinus, 0));
    }

    private static string Pick(FloodLog log, Link link, long after, int room, out long end)
    {
        var ranks = new ushort[room];
        int count = log.Pick(link, after, ranks, out end);
        return string.Join(' ', ranks.Take(count));
    }
}
