using CamCube.Experiments.Catalog.Cables;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Moves;

namespace CamCube.Experiments.Tests.Catalog.Cables;

public sealed class MovesVerdictTests
{
    // 1.125 s to notice, 100 and twice 20 ms and 1 ms to resolve, 0.5 ms to send.
    private const double Bound = 1_125 + 141 + 0.5;

    [Fact]
    public void Passes_where_the_crowd_goes_on_in_time_and_nothing_comes_to_another()
    {
        FigureRun run = Check(Kill(Bound, 1_125), Move(20));
        Assert.DoesNotContain(run.Checks, check => check.Outcome == CheckOutcome.Failed);
        Assert.Equal(8, run.Checks.Count(check => check.Outcome == CheckOutcome.Passed));
        Assert.NotEmpty(run.Table.Rows);
        Assert.NotEmpty(run.Plots);
    }

    [Theory]
    [InlineData(Bound + 1, 1_125, 20, 2)]
    [InlineData(1_200, 1_000, 20, 1)]
    [InlineData(1_200, 1_150, 20, 1)]
    [InlineData(1_200, 1_100, 200, 1)]
    public void Fails_where_it_takes_longer(double gap, double noticed, double move, int failed) =>
        Assert.Equal(failed, Failed(Check(Kill(gap, noticed), Move(move))));

    [Fact]
    public void Fails_where_messages_come_to_another_or_twice_or_are_lost_later()
    {
        Assert.Equal(1, Failed(Check([Kill(1_200, 1_100), Move(20)], wrong: 1)));
        Assert.Equal(1, Failed(Check([Kill(1_200, 1_100), Move(20)], doubled: 1)));
        Assert.Equal(1, Failed(Check(Kill(1_200, 1_100) with { LostLater = 1 }, Move(20))));
        Assert.Equal(1, Failed(Check(Kill(1_200, 1_100), Move(20) with { Lost = 1 })));
    }

    [Fact]
    public void Arrivals_tell_what_is_missing_and_what_came_to_two()
    {
        var arrivals = new Arrivals();
        arrivals.Add(Opening("0-4,7-7"));
        arrivals.Add(Opening("4-5"));
        Assert.Equal(1, arrivals.Doubled);
        Assert.Equal((1L, 2L, 3L), (arrivals.Missing(1, 0, 8), arrivals.Missing(1, 6, 9), arrivals.Missing(2, 0, 3)));
    }

    private static Services.Workloads.Messages.OpeningReport Opening(string numbers) =>
        new("a", 1, "owned", 1, 1, 1, 1, 0, 0, 0, new Dictionary<int, string> { [1] = numbers });

    private static MoveRound Kill(double gap, double noticed) => new(true, gap, noticed, 1_000, 300, 0, 0);

    private static MoveRound Move(double gap) => new(false, gap, 0, 1_000, 0, 0, 0);

    private static int Failed(FigureRun run) => run.Checks.Count(check => check.Outcome == CheckOutcome.Failed);

    private static FigureRun Check(params MoveRound[] rounds) => Check(rounds, 0);

    private static FigureRun Check(MoveRound[] rounds, long wrong = 0, long doubled = 0)
    {
        var run = new FigureRun();
        ValueRows.SetColumns(run);
        MovesVerdict.Check(
            run,
            new MovesResult(rounds, [1], [0.5], wrong, doubled, 10_000, 10, 31, 0.2),
            TimeSpan.FromSeconds(1),
            TimeSpan.FromMilliseconds(100),
            TimeSpan.FromMilliseconds(20)
        );
        return run;
    }
}
