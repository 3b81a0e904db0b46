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
    [InlineData(1)]
    [InlineData(2)]
    public void A_stream_that_forgets_one_retransmission_is_found(ulong seed)
    {
        SwarmResult result = SwarmRunner.RunOne(
            Small(seed) with
            {
                Services = [StreamWorkload.Forgetful],
                Faults = [new FaultRate(FaultKind.Loss, 10)],
            },
            default
        );
        Assert.Contains(result.Failures, f => f.Checker == "stream-progress");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_stream_that_takes_what_another_run_sends_is_found(ulong seed)
    {
        SwarmResult result = SwarmRunner.RunOne(
            Small(seed) with
            {
                Services = [StreamWorkload.AnyRun],
                Faults = [new FaultRate(FaultKind.Crash, 20)],
            },
            default
        );
        Assert.Contains(result.Failures, f => f.Checker == "stream-runs");
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
