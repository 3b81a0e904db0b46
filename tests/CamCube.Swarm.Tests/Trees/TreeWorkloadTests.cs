using CamCube.Simulator.Swarm;
using CamCube.Swarm.Runs;
using CamCube.Swarm.Trees;

namespace CamCube.Swarm.Tests.Trees;

/// <summary>Trees in swarm runs: promises kept under every fault, and planted mistakes found.</summary>
public sealed class TreeWorkloadTests
{
    public static TheoryData<FaultKind> Kinds =>
        [.. Enum.GetValues<FaultKind>().Where(static kind => !SwarmOptions.IsOnlyAsked(kind))];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_every_fault_every_record_counts_once_and_nothing_is_left(FaultKind kind)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(2) with { Faults = [new FaultRate(kind, 6)] }, default);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally["tree pulls ended"] > 10, $"{result.Tally["tree pulls ended"]}");
        Assert.True(result.Tally["check tree-records"] > 100, $"{result.Tally["check tree-records"]}");
        Assert.True(result.Tally["check tree-memory"] > 5_000);
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

    // In the first of these seeds already; not in every one.
    [Theory]
    [InlineData(TreeWorkload.ResumesAt)]
    [InlineData(TreeWorkload.AnyOrder)]
    public void A_planted_mistake_is_found(string service)
    {
        SwarmResult Run(ulong seed) =>
            SwarmRunner.RunOne(
                Small(seed) with
                {
                    Services = [service],
                    Faults = [new FaultRate(FaultKind.Crash, 20)],
                    RoundMillis = 2_000,
                },
                default
            );
        Assert.Contains(new ulong[] { 1, 3, 4 }, seed => Run(seed).Failures.Any(f => f.Checker == "tree-records"));
    }

    private static SwarmOptions Small(ulong seed) =>
        new()
        {
            Seed = seed,
            Shape = "3x2x2",
            Services = [TreeWorkload.Name],
            DetectionMillis = 100,
            Rounds = 2,
            RoundMillis = 600,
        };
}
