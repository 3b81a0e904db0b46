using CamCube.Simulator.Swarm;
using CamCube.Swarm.Images;
using CamCube.Swarm.Runs;

namespace CamCube.Swarm.Tests.Images;

/// <summary>Clients of the image store in swarm runs: promises kept under every fault, and planted mistakes found.
/// </summary>
public sealed class ImagesWorkloadTests
{
    public static TheoryData<FaultKind> Kinds =>
        [.. Enum.GetValues<FaultKind>().Where(kind => !SwarmOptions.IsOnlyAsked(kind))];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_every_fault_no_byte_is_wrong_and_every_image_is_read_again(FaultKind kind)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(3) with { Faults = [new FaultRate(kind, 6)] }, default);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally["images Put: Done"] > 5);
        Assert.True(result.Tally["images GetVariant: Done"] > 5);
        Assert.True(result.Tally["check images-bytes"] > 20);
        Assert.True(result.Tally["check images-linearizable"] > 50);
        Assert.Equal(1, result.Tally["check images-left"]);
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

    [Theory]
    [InlineData(ImagesWorkload.Versionless)]
    [InlineData(ImagesWorkload.Early)]
    public void Planted_mistakes_are_found(string mistake)
    {
        SwarmResult result = SwarmRunner.RunOne(
            Small(1) with
            {
                Services = [mistake],
                Faults = [new FaultRate(FaultKind.Crash, 4)],
            },
            default
        );
        Assert.Contains(result.Failures, f => f.Checker == "images-linearizable");
    }

    private static SwarmOptions Small(ulong seed) =>
        new()
        {
            Seed = seed,
            Shape = "3x2x1",
            Services = [ImagesWorkload.Name],
            DetectionMillis = 100,
            Rounds = 2,
            RoundMillis = 600,
        };
}
