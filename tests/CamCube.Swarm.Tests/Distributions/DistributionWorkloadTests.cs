using CamCube.Simulator.Swarm;
using CamCube.Swarm.Distributions;
using CamCube.Swarm.Runs;

namespace CamCube.Swarm.Tests.Distributions;

/// <summary>Files in swarm runs: whole or absent under every fault, and planted mistakes found.</summary>
public sealed class DistributionWorkloadTests
{
    public static TheoryData<FaultKind> Kinds =>
        [.. Enum.GetValues<FaultKind>().Where(static kind => !SwarmOptions.IsOnlyAsked(kind))];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_every_fault_files_are_whole_or_absent_and_nothing_is_left(FaultKind kind)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(2) with { Faults = [new FaultRate(kind, 6)] }, default);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally["files Done"] > 5, $"{result.Tally["files Done"]}");
        Assert.True(result.Tally["check distribution-content"] > 20);
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
    [InlineData(DistributionWorkload.Unchecked, "distribution-ends")]
    [InlineData(DistributionWorkload.Unhashed, "distribution-content")]
    [InlineData(DistributionWorkload.Miscoded, "distribution-content")]
    public void A_planted_mistake_is_found(string service, string checker)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(1) with { Services = [service] }, default);
        Assert.Contains(result.Failures, f => f.Checker == checker);
    }

    private static SwarmOptions Small(ulong seed) =>
        new()
        {
            Seed = seed,
            Shape = "3x2x2",
            Services = [DistributionWorkload.Name],
            DetectionMillis = 100,
            Rounds = 2,
            RoundMillis = 1_500,
        };
}
