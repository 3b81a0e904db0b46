using CamCube.Experiments.Churn;

namespace CamCube.Experiments.Tests.Churn;

/// <summary>The judge finds what is wrong, or "misdelivered: 0" would mean nothing.</summary>
public sealed class JudgeTests
{
    private static readonly TorusShape Shape = new(3, 3, 3);
    private static readonly int Home = 13;
    private static readonly int StandIn = Shape.RankOf(Shape.Step(Shape.At(Home), Link.XPlus));

    // The first of the 48 sequences: +x first.
    private static readonly ulong Route = ((Destination)Shape.At(Home)).Route;
    private readonly ServerLog[] _logs = [.. Enumerable.Range(0, Shape.Count).Select(_ => new ServerLog())];
    private readonly RootOracle _oracle = new(Shape);
    private readonly Judge _judge;

    public JudgeTests() => _judge = new Judge(Shape, _oracle, _logs);

    [Fact]
    public void A_delivery_anywhere_but_at_the_root_is_found_and_described()
    {
        Deliver(10, Home);
        Deliver(20, StandIn);
        Deliver(30, 0);
        _judge.JudgeNow();
        Assert.Equal((3, 2), (_judge.Delivered, _judge.Misdelivered));
        Assert.Contains(
            $"at {Shape.At(StandIn)}, which ran for 0.000000 s; its root was {Shape.At(Home)}",
            _judge.InWords[0],
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void While_the_home_is_down_its_stand_in_is_right()
    {
        _oracle.SetRunning(Home, false);
        Deliver(10, StandIn);
        Deliver(20, 0);
        _judge.JudgeNow();
        Assert.Equal((2, 1), (_judge.Delivered, _judge.Misdelivered));
    }

    [Fact]
    public void A_returning_server_counts_from_the_moment_it_takes_its_keys()
    {
        _oracle.SetRunning(Home, false);
        _oracle.SetRunning(Home, true);
        _judge.NoteStart(Home, 5_000_000);
        // Logged in the order in which servers are simulated, which is not that of time.
        Deliver(40_000_001, StandIn);
        Deliver(40_000_000, Home);
        Deliver(39_999_999, StandIn);
        _logs[Home].Changes.Add(new KeyChange(40_000_000, Home, true));
        _judge.JudgeNow();
        Assert.Equal((3, 1), (_judge.Delivered, _judge.Misdelivered));
        Assert.StartsWith("0.040000 s: key", Assert.Single(_judge.InWords), StringComparison.Ordinal);
        Assert.Equal((1, 35.0), (_judge.Returns, _judge.MeanReturnMillis));
    }

    [Fact]
    public void A_server_that_gave_up_its_keys_is_root_no_longer()
    {
        _logs[Home].Changes.Add(new KeyChange(10, Home, false));
        Deliver(9, Home);
        Deliver(11, Home);
        Deliver(12, StandIn);
        _judge.JudgeNow();
        Assert.Equal((3, 1), (_judge.Delivered, _judge.Misdelivered));
    }

    [Fact]
    public void A_server_that_is_cut_off_is_judged_by_what_it_can_reach()
    {
        foreach (Link link in Shape.CabledLinks(Shape.At(Home)))
        {
            _oracle.SetRunning(Shape.RankOf(Shape.Step(Shape.At(Home), link)), false);
        }

        Deliver(10, Home);
        _judge.JudgeNow();
        Assert.Equal((1, 0, 1), (_judge.Delivered, _judge.Misdelivered, _judge.InMinority));
    }

    private void Deliver(long at, int rank) => _logs[rank].Deliveries.Add(new KeyDelivery(at, rank, Route));
}
