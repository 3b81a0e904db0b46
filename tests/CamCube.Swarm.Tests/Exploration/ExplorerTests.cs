using CamCube.Swarm.Exploration;

namespace CamCube.Swarm.Tests.Exploration;

public sealed class ExplorerTests(ITestOutputHelper output)
{
    private ExploreResult Run(ExploreOptions options)
    {
        ExploreResult result = Explorer.Run(options);
        output.WriteLine($"{result.States} states, {result.Transitions} transitions, depth {result.Depth}");
        foreach (string step in result.Trace)
        {
            output.WriteLine(step);
        }

        return result;
    }

    [Theory]
    [InlineData(ExploreStart.Born)]
    [InlineData(ExploreStart.Led)]
    public void A_hundred_and_fifty_thousand_states_break_nothing(ExploreStart start)
    {
        ExploreResult result = Run(new ExploreOptions { Start = start, States = 150_000 });
        Assert.Null(result.Violation);
        Assert.InRange(result.States, 150_000, 160_000);
    }

    [Fact]
    public void Births_with_a_replaced_disk_break_nothing()
    {
        ExploreResult result = Run(
            new ExploreOptions
            {
                Start = ExploreStart.Blank,
                Replacements = 1,
                Terms = 1,
                States = 100_000,
            }
        );
        Assert.Null(result.Violation);
    }

    [Fact]
    public void Leases_break_nothing()
    {
        ExploreResult result = Run(
            new ExploreOptions
            {
                Start = ExploreStart.Led,
                Leases = 1,
                Writes = 0,
                SlowSyncs = 0,
                Beats = 0,
                States = 150_000,
            }
        );
        Assert.Null(result.Violation);
    }

    [Fact]
    public void A_promise_that_is_shorter_than_a_lease_is_found()
    {
        ExploreResult result = Run(
            new ExploreOptions
            {
                Start = ExploreStart.Led,
                Planted = PlantedError.HoldShort,
                Leases = 1,
                Writes = 0,
                Changes = 0,
                Crashes = 0,
                SlowSyncs = 0,
                States = 200_000,
            }
        );
        Assert.StartsWith("8: ", result.Violation, StringComparison.Ordinal);
        Assert.Contains(result.Trace, step => step.StartsWith("the promise of", StringComparison.Ordinal));
    }

    [Fact]
    public void An_epoch_that_is_used_before_its_Next_is_committed_is_found()
    {
        ExploreResult result = Run(
            new ExploreOptions
            {
                Start = ExploreStart.Led,
                Planted = PlantedError.EpochEarly,
                States = 100_000,
            }
        );
        Assert.StartsWith("4: ", result.Violation, StringComparison.Ordinal);
        Assert.Contains(result.Trace, step => step.Contains("too early", StringComparison.Ordinal));
    }

    [Fact]
    public void A_vote_that_is_said_before_it_is_synced_is_found()
    {
        ExploreResult result = Run(
            new ExploreOptions
            {
                Planted = PlantedError.VoteUnsynced,
                Changes = 0,
                Writes = 1,
                States = 200_000,
            }
        );
        Assert.StartsWith("10: ", result.Violation, StringComparison.Ordinal);
        Assert.Contains(result.Trace, step => step.Contains("calls its vote synced", StringComparison.Ordinal));
    }

    [Fact]
    public void Stores_that_are_given_up_by_hand_break_nothing()
    {
        ExploreResult result = Run(
            new ExploreOptions
            {
                Start = ExploreStart.Led,
                Recoveries = 1,
                Reads = 0,
                States = 150_000,
            }
        );
        Assert.Null(result.Violation);
    }

    [Fact]
    public void Stores_that_are_given_up_while_they_are_there_are_found()
    {
        ExploreResult result = Run(
            new ExploreOptions
            {
                Start = ExploreStart.Led,
                Planted = PlantedError.RecoverEarly,
                Recoveries = 1,
                Changes = 0,
                Reads = 0,
                Crashes = 0,
                SlowSyncs = 0,
                States = 200_000,
            }
        );
        Assert.StartsWith("3: ", result.Violation, StringComparison.Ordinal);
        Assert.Contains(result.Trace, step => step.Contains("it is proposed to go on", StringComparison.Ordinal));
    }

    [Fact]
    public void A_store_that_was_given_up_and_is_let_in_again_is_found()
    {
        ExploreResult result = Run(
            new ExploreOptions
            {
                Start = ExploreStart.Led,
                Planted = PlantedError.LetIn,
                Recoveries = 1,
                Changes = 0,
                Writes = 0,
                Reads = 0,
                Crashes = 0,
                SlowSyncs = 0,
                Beats = 0,
                Terms = 1,
                States = 200_000,
            }
        );
        Assert.StartsWith("10: ", result.Violation, StringComparison.Ordinal);
        Assert.Contains(result.Trace, step => step.Contains("let in again", StringComparison.Ordinal));
    }
}
