using CamCube.Simulator.Swarm;
using CamCube.Swarm.Collectives;
using CamCube.Swarm.Runs;

namespace CamCube.Swarm.Tests.Collectives;

/// <summary>Groups in swarm runs: right at every member under every fault, and planted mistakes found.</summary>
public sealed class CollectivesWorkloadTests
{
    public static TheoryData<FaultKind> Kinds =>
        [.. Enum.GetValues<FaultKind>().Where(static kind => !SwarmOptions.IsOnlyAsked(kind))];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_every_fault_what_is_done_is_right_and_nothing_is_left(FaultKind kind)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(2) with { Faults = [new FaultRate(kind, 6)] }, default);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally["operations done"] > 5, $"{result.Tally["operations done"]}");
        Assert.True(result.Tally["check collectives-right"] > 20);
    }

    [Fact]
    public void Equal_seeds_give_equal_runs()
    {
        FaultRate[] faults = [.. Enum.GetValues<FaultKind>().Select(k => new FaultRate(k, 1))];
        SwarmResult[] runs =
        [
            .. new ulong[] { 5, 5, 6 }.Select(s => SwarmRunner.RunOne(Small(s) with { Faults = faults }, default)),
        ];
        Assert.Equal((runs[0].TraceHash, runs[0].VirtualNanos), (runs[1].TraceHash, runs[1].VirtualNanos));
        Assert.Equal(runs[0].Tally.Counts, runs[1].Tally.Counts);
        Assert.NotEqual(runs[0].TraceHash, runs[2].TraceHash);
    }

    [Theory]
    [InlineData(CollectivesWorkload.ResumesAt, "collectives-right")]
    [InlineData(CollectivesWorkload.AsItComes, "collectives-right")]
    public void A_planted_mistake_is_found(string service, string checker)
    {
        // Not every run has edges that break off within an operation, or children that are late.
        bool isFound = Enumerable
            .Range(1, 12)
            .Any(seed =>
                SwarmRunner
                    .RunOne(Small((ulong)seed) with { Services = [service] }, default)
                    .Failures.Any(f => f.Checker == checker)
            );
        Assert.True(isFound, checker);
    }

    private static SwarmOptions Small(ulong seed) =>
        new()
        {
            Seed = seed,
            Shape = "3x2x2",
            Services = [CollectivesWorkload.Name],
            DetectionMillis = 100,
            Rounds = 2,
            RoundMillis = 1_500,
        };
}
