using CamCube.Simulator.Swarm;
using CamCube.Swarm.Messages;
using CamCube.Swarm.Runs;

namespace CamCube.Swarm.Tests.Messages;

/// <summary>Messages of the messenger in swarm runs: promises kept under every fault, and a planted mistake found.
/// </summary>
public sealed class MessengerWorkloadTests
{
    public static TheoryData<FaultKind> Kinds =>
        [.. Enum.GetValues<FaultKind>().Where(kind => !SwarmOptions.IsOnlyAsked(kind))];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_every_fault_messages_arrive_where_they_are_meant_to_and_nothing_is_left(FaultKind kind)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(2) with { Faults = [new FaultRate(kind, 6)] }, default);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally["check messenger-place"] > 100);
        Assert.True(result.Tally["check messenger-left"] > 50);
        Assert.True(result.Tally["messenger call: Answered"] > 20);
        Assert.True(result.Tally["messenger long received"] > 10);
        Assert.True(result.Tally["messenger move: Moved"] > 5);
    }

    // 37 and 39 found that an answer for an endpoint that had moved was passed on to where the same number was another
    // question; 809 that a stream whose connection ended before its handler refused it was kept for ever.
    [Theory]
    [InlineData(37)]
    [InlineData(39)]
    [InlineData(809)]
    public void Seeds_that_failed_once_pass(ulong seed)
    {
        var wishes = new SwarmWishes { Services = [MessengerWorkload.Name] };
        SwarmResult result = SwarmRunner.RunOne(SwarmDraw.Draw(seed, wishes, SwarmRunner.Services), default);
        Assert.Empty(result.Failures);
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
    public void A_messenger_that_gives_messages_to_the_wrong_endpoint_is_found(ulong seed)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(seed) with { Services = [MessengerWorkload.Astray] }, default);
        Assert.Contains(result.Failures, f => f.Checker == "messenger-place");
    }

    private static SwarmOptions Small(ulong seed) =>
        new()
        {
            Seed = seed,
            Shape = "3x2x2",
            Services = [MessengerWorkload.Name],
            DetectionMillis = 100,
            Rounds = 2,
            RoundMillis = 600,
        };
}
