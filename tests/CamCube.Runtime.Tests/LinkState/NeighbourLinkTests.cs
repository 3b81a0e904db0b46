using CamCube.Runtime.Core;

namespace CamCube.Runtime.Tests.LinkState;

public sealed class NeighbourLinkTests
{
    private readonly NeighbourLink _link = new(Link.XPlus, new(1, 0, 0), 0);

    [Fact]
    public void An_acknowledgement_covers_its_batch_and_all_earlier_ones_but_none_later()
    {
        _link.BeginExchange();
        _link.Sent(1, 5, isComplete: false, isTruncated: true, 0);
        _link.Sent(2, 8, isComplete: true, isTruncated: false, 0);
        _link.Sent(3, 9, isComplete: true, isTruncated: false, 0);
        _link.Acknowledge(2);
        Assert.Equal(8, _link.Acknowledged);
        Assert.False(_link.OwesComplete);
        Assert.True(_link.IsAwaiting);
        _link.Acknowledge(1);
        _link.Acknowledge(77);
        Assert.Equal(8, _link.Acknowledged);
        _link.Acknowledge(3);
        Assert.Equal(9, _link.Acknowledged);
        Assert.False(_link.IsAwaiting);
    }

    [Fact]
    public void An_end_that_means_more_now_must_be_acknowledged_again()
    {
        _link.BeginExchange();
        _link.Sent(1, 5, isComplete: true, isTruncated: false, 0);
        _link.RepeatComplete();
        Assert.False(_link.IsCompleteInFlight);
        _link.Acknowledge(1);
        Assert.True(_link.OwesComplete);
        _link.Sent(2, 5, isComplete: true, isTruncated: false, 0);
        _link.Acknowledge(2);
        Assert.False(_link.OwesComplete);
    }

    [Fact]
    public void Old_batches_are_forgotten_when_more_are_repeated_and_after_a_new_exchange()
    {
        for (uint number = 1; number <= 6; number++)
        {
            _link.Sent(number, number, isComplete: true, isTruncated: false, 0);
        }

        Assert.False(_link.HasWindow);
        _link.Acknowledge(2);
        Assert.Equal(0, _link.Acknowledged);
        _link.Acknowledge(6);
        Assert.Equal(6, _link.Acknowledged);
        _link.Sent(7, 7, isComplete: true, isTruncated: false, 0);
        _link.BeginExchange();
        _link.Acknowledge(7);
        Assert.Equal(0, _link.Acknowledged);
        Assert.True(_link.OwesComplete);
    }

    [Fact]
    public void Packet_numbers_skip_zero()
    {
        var link = new NeighbourLink(Link.XPlus, default, uint.MaxValue - 1);
        Assert.Equal(uint.MaxValue, link.NextNumber());
        Assert.Equal(1u, link.NextNumber());
    }
}
