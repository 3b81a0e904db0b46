using CamCube.Simulator.Swarm;
using CamCube.Swarm.Histories;
using CamCube.Swarm.Runs;

namespace CamCube.Swarm.Tests.Histories;

/// <summary>Clients of the cache in swarm runs, on keys that the key-value store keeps.</summary>
public sealed class BackedCacheTests
{
    public static TheoryData<FaultKind> Kinds =>
        [.. Enum.GetValues<FaultKind>().Where(kind => !SwarmOptions.IsOnlyAsked(kind))];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_every_fault_nobody_reads_what_was_before_an_acknowledged_change(FaultKind kind)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(3) with { Faults = [new FaultRate(kind, 6)] }, default);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally["check cache-reads"] > 50);
        Assert.True(result.Tally["check cache-at-most-once"] > 20);
    }

    [Fact]
    public void Equal_seeds_give_equal_runs()
    {
        FaultRate[] faults = [.. Enum.GetValues<FaultKind>().Select(k => new FaultRate(k, 1))];
        SwarmResult[] runs =
        [
            .. new ulong[] { 5, 5 }.Select(s => SwarmRunner.RunOne(Small(s) with { Faults = faults }, default)),
        ];
        Assert.Equal((runs[0].TraceHash, runs[0].VirtualNanos), (runs[1].TraceHash, runs[1].VirtualNanos));
        Assert.Equal(runs[0].Tally.Counts, runs[1].Tally.Counts);
    }

    [Fact]
    public void Copies_that_are_left_are_found()
    {
        bool isFound = false;
        for (ulong seed = 1; seed < 12 && !isFound; seed++)
        {
            SwarmOptions options = Small(seed) with { Services = [CacheWorkload.BackedLeft] };
            SwarmResult result = SwarmRunner.RunOne(options, default);
            isFound = result.Failures.Any(f => f.Checker == "cache-reads");
        }

        Assert.True(isFound);
    }

    private static SwarmOptions Small(ulong seed) =>
        new()
        {
            Seed = seed,
            Shape = "3x3x1",
            Services = [CacheWorkload.Backed],
            DetectionMillis = 100,
            Rounds = 2,
            RoundMillis = 600,
        };
}
