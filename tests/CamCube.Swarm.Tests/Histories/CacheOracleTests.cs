using CamCube.Services.Cache;
using CamCube.Simulator.Swarm;
using CamCube.Swarm.Histories;
using CamCube.Swarm.Runs;

namespace CamCube.Swarm.Tests.Histories;

public sealed class CacheOracleTests
{
    [Fact]
    public void A_value_that_was_never_set_or_is_older_than_what_was_acknowledged_is_wrong()
    {
        var oracle = new CacheOracle();
        CacheChange first = Done(oracle, 10, 20),
            second = oracle.Begin("k", 16, isDelete: false, 30);

        // The second is under way: either may be read.
        Read(oracle, first, 40);
        Read(oracle, second, 40);
        (second.Ended, second.IsAcknowledged) = (50, true);
        Read(oracle, first, 45);
        Assert.Empty(oracle.Failures);
        Read(oracle, first, 51);
        Assert.Equal(1, oracle.FailureCount);
        oracle.Check("k", CacheOracle.ValueOf(first.Id, 16), 51, () => "", since => since == second.Began);
        Assert.Equal((1, 1), (oracle.FailureCount, oracle.Excused));
        oracle.Check("other", CacheOracle.ValueOf(second.Id, 16), 60, () => "", _ => false);
        oracle.Check("k", CacheOracle.ValueOf(second.Id, 17), 60, () => "", _ => false);
        oracle.Check("k", new byte[3], 60, () => "", _ => false);
        oracle.Check("k", CacheOracle.ValueOf(77, 16), 60, () => "", _ => false);
        Assert.Equal(5, oracle.FailureCount);

        // One that was given up may have been done until then, and not after: it excuses nothing later.
        CacheChange lost = oracle.Begin("k", 16, isDelete: false, 70);
        lost.Ended = 80;
        Read(oracle, second, 90);
        Read(oracle, lost, 90);
        Assert.Equal(5, oracle.FailureCount);
        Done(oracle, 100, 110);
        Read(oracle, lost, 120);
        Assert.Equal(6, oracle.FailureCount);
    }

    [Fact]
    public void A_run_with_the_cache_checks_reads_and_counts_and_is_the_same_every_time()
    {
        var wishes = new SwarmWishes
        {
            Shape = "3x3x3",
            Services = ["cache"],
            Faults = [FaultKind.Crash, FaultKind.Isolation],
        };
        SwarmOptions options = SwarmDraw.Draw(3, wishes, SwarmRunner.Services);
        SwarmResult[] runs = [SwarmRunner.RunOne(options, default), SwarmRunner.RunOne(options, default)];
        Assert.Empty(runs[0].Failures);
        Assert.True(runs[0].Tally["check cache-reads"] > 100);
        Assert.True(runs[0].Tally["check cache-at-most-once"] > 100);
        Assert.Equal(runs[0].TraceHash, runs[1].TraceHash);
        Assert.Equal(runs[0].Tally.Counts, runs[1].Tally.Counts);
    }

    private static CacheChange Done(CacheOracle oracle, long began, long ended)
    {
        CacheChange change = oracle.Begin("k", 16, isDelete: false, began);
        (change.Ended, change.IsAcknowledged) = (ended, true);
        return change;
    }

    private static void Read(CacheOracle oracle, CacheChange change, long began) =>
        oracle.Check("k", CacheOracle.ValueOf(change.Id, change.Length), began, () => "0,0,0", _ => false);
}
