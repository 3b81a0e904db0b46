using CamCube.Simulator.Swarm;
using CamCube.Swarm.Files;
using CamCube.Swarm.Runs;

namespace CamCube.Swarm.Tests.Files;

/// <summary>Clients of the file store in swarm runs: promises kept under every fault, and planted mistakes found.
/// </summary>
public sealed class FilesWorkloadTests
{
    public static TheoryData<FaultKind> Kinds =>
        [.. Enum.GetValues<FaultKind>().Where(kind => !SwarmOptions.IsOnlyAsked(kind))];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_every_fault_no_byte_is_wrong_and_every_file_is_read_again(FaultKind kind)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(3) with { Faults = [new FaultRate(kind, 6)] }, default);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally["files Put: Done"] > 5);
        Assert.True(result.Tally["files Get: Done"] > 5);
        Assert.True(result.Tally["check files-bytes"] > 3);
        Assert.True(result.Tally["check files-linearizable"] > 50);
        Assert.Equal(1, result.Tally["check files-tree"]);
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

    // Seeds in which it matters: of others most go well.
    [Theory]
    [InlineData(FilesWorkload.Unrenewed, "files-tree", 47)]
    [InlineData(FilesWorkload.Unrenewed, "files-tree", 51)]
    [InlineData(FilesWorkload.Hasty, "files-progress", 2)]
    public void Planted_mistakes_are_found(string mistake, string checker, ulong seed)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(seed) with { Services = [mistake] }, default);
        Assert.Contains(result.Failures, f => f.Checker == checker);
        Assert.Empty(SwarmRunner.RunOne(Small(seed), default).Failures);
    }

    private static SwarmOptions Small(ulong seed) =>
        new()
        {
            Seed = seed,
            Shape = "3x2x1",
            Services = [FilesWorkload.Name],
            DetectionMillis = 100,
            Rounds = 2,
            RoundMillis = 600,
        };
}
