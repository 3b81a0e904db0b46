using CamCube.Simulator.Swarm;
using CamCube.Swarm.Runs;
using CamCube.Swarm.Streams;

namespace CamCube.Swarm.Tests.Streams;

/// <summary>Streams in swarm runs: promises kept under every fault, and planted mistakes found.</summary>
public sealed class StreamWorkloadTests
{
    public static TheoryData<FaultKind> Kinds => [.. Enum.GetValues<FaultKind>()];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_every_fault_streams_keep_their_promises_and_nothing_is_left(FaultKind kind)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(2) with { Faults = [new FaultRate(kind, 6)] }, default);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally["stream ended: Finished"] > 20);
        Assert.True(result.Tally["stream bytes read"] > 100_000);
        Assert.True(result.Tally["check stream-bytes"] > 300);
        Assert.True(result.Tally["check stream-runs"] > 50);
        Assert.True(result.Tally["check stream-ends"] > 100);
        Assert.True(result.Tally["check stream-memory"] > 5_000);
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
    [InlineData(1, StreamWorkload.Forgetful, FaultKind.Loss, 10, "stream-progress")]
    [InlineData(2, StreamWorkload.Forgetful, FaultKind.Loss, 10, "stream-progress")]
    [InlineData(1, StreamWorkload.AnyRun, FaultKind.Crash, 20, "stream-runs")]
    [InlineData(2, StreamWorkload.AnyRun, FaultKind.Crash, 20, "stream-runs")]
    public void A_planted_mistake_is_found(ulong seed, string service, FaultKind kind, int rate, string checker)
    {
        SwarmOptions options = Small(seed) with { Services = [service], Faults = [new FaultRate(kind, rate)] };
        Assert.Contains(SwarmRunner.RunOne(options, default).Failures, f => f.Checker == checker);
    }

    private static SwarmOptions Small(ulong seed) =>
        new()
        {
            Seed = seed,
            Shape = "3x2x2",
            Services = [StreamWorkload.Name],
            DetectionMillis = 100,
            Rounds = 2,
            RoundMillis = 600,
        };
}
