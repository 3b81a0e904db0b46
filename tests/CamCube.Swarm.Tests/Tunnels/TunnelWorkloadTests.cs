using CamCube.Simulator.Swarm;
using CamCube.Swarm.Runs;
using CamCube.Swarm.Tunnels;

namespace CamCube.Swarm.Tests.Tunnels;

/// <summary>Datagrams of the tunnel in swarm runs: promises kept under every fault, and planted mistakes found.
/// </summary>
public sealed class TunnelWorkloadTests
{
    public static TheoryData<FaultKind> Kinds =>
        [.. Enum.GetValues<FaultKind>().Where(kind => !SwarmOptions.IsOnlyAsked(kind))];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_every_fault_datagrams_come_whole_once_and_in_order_and_at_the_end_all_reach_all(FaultKind kind)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(2) with { Faults = [new FaultRate(kind, 6)] }, default);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally["tunnel received"] > 1_000);
        Assert.True(result.Tally["tunnel impossible frame"] > 20);
        Assert.True(result.Tally["check tunnel-reach"] > 50);
        Assert.True(result.Tally["tunnel received by all"] > 500);
        Assert.True(result.Tally["check tunnel-flood"] > 0);
        Assert.True(result.Tally["check tunnel-left"] > 0);
    }

    [Fact]
    public void Broadcasts_that_are_not_looked_at_whether_they_came_before_are_found()
    {
        SwarmResult result = SwarmRunner.RunOne(
            Small(1) with
            {
                Services = [TunnelWorkload.Echoing],
                Faults = [new FaultRate(FaultKind.Duplication, 6)],
            },
            default
        );
        Assert.Contains(result.Failures, f => f.Checker == "tunnel-once");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_planted_mistake_is_found(ulong seed)
    {
        FaultRate[] faults = [new FaultRate(FaultKind.Duplication, 6)];
        SwarmResult result = SwarmRunner.RunOne(
            Small(seed) with
            {
                Services = [TunnelWorkload.Hasty],
                Faults = faults,
            },
            default
        );
        Assert.Contains(result.Failures, f => f.Checker is "tunnel-once" or "tunnel-order");
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_every_fault_machines_behind_the_bridge_and_in_other_networks_reach_all_and_nothing_goes_back(
        FaultKind kind
    )
    {
        SwarmOptions options = Small(3) with { Services = [TunnelWorkload.Outside], Faults = [new FaultRate(kind, 6)] };
        SwarmResult result = SwarmRunner.RunOne(options, default);
        Assert.Empty(result.Failures);
        string[] ways = ["Bridged by Server", "Server by Bridged", "Beyond by Server", "Server by Beyond"];
        Assert.All(ways, way => Assert.True(result.Tally[$"tunnel received from {way}"] > 50, way));
        Assert.True(result.Tally["tunnel sent in vain"] > 20);
        Assert.True(result.Tally["check tunnel-back"] > 1_000);
    }

    [Theory]
    [InlineData(TunnelWorkload.Reflecting, "tunnel-back", 1)]
    [InlineData(TunnelWorkload.Sticking, "tunnel-reach", 4)]
    public void A_mistake_at_the_border_of_the_cube_is_found_within_a_few_seeds(
        string service,
        string checker,
        ulong from
    )
    {
        SwarmResult Run(ulong seed) =>
            SwarmRunner.RunOne(
                Small(seed) with
                {
                    Services = [service],
                    Faults = [new FaultRate(FaultKind.Crash, 6), new FaultRate(FaultKind.Restart, 6)],
                },
                default
            );
        Assert.Contains((ulong[])[from, from + 1, from + 2], seed => Run(seed).Failures.Any(f => f.Checker == checker));
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

    private static SwarmOptions Small(ulong seed) =>
        new()
        {
            Seed = seed,
            Shape = "3x2x2",
            Services = [TunnelWorkload.Name],
            DetectionMillis = 100,
            Rounds = 2,
            RoundMillis = 600,
        };
}
