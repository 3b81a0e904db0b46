using CamCube.Simulator.Swarm;

namespace CamCube.Simulator.Tests.Swarm;

/// <summary>Faults that are drawn for workloads with disks.</summary>
public sealed class DiskFaultRunTests
{
    public static TheoryData<FaultKind> Kinds => [.. Enum.GetValues<FaultKind>().Where(SwarmOptions.IsOnlyAsked)];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Each_alone_bites_and_is_healed(FaultKind kind)
    {
        SwarmResult result = SwarmRun.Run(Small(3) with { Faults = [new FaultRate(kind, 30)] }, [new DiskWorkload()]);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally[$"fault {FaultNames.Of(kind)}"] > 0);
        Assert.True(result.Tally[$"disk {FaultNames.Of(kind)}"] > 0, string.Join(' ', result.Tally.Counts));
        Assert.InRange(result.Tally["check healed"], 1, 27);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void All_together_with_all_others_leave_no_disk_broken_and_equal_seeds_are_equal(ulong seed)
    {
        SwarmOptions options = Small(seed) with
        {
            Faults = [.. Enum.GetValues<FaultKind>().Select(kind => new FaultRate(kind, 2))],
        };
        SwarmResult one = SwarmRun.Run(options, [new DiskWorkload()]),
            two = SwarmRun.Run(options, [new DiskWorkload()]);
        Assert.Empty(one.Failures);
        Assert.Equal(one.TraceHash, two.TraceHash);
        Assert.Equal(one.Tally.Counts, two.Tally.Counts);
    }

    [Fact]
    public void A_workload_says_which_disks_stay_sound()
    {
        DiskWorkload workload = new() { Spares = static (rank, kind) => rank > 3 || kind == FaultKind.LyingSyncs };
        SwarmOptions options = Small(5) with { Faults = [.. Kinds.Select(kind => new FaultRate(kind.Data, 10))] };
        SwarmResult result = SwarmRun.Run(options, [workload]);
        Assert.Empty(result.Failures);
        Assert.All(workload.Harmed, one => Assert.InRange(one.Rank, 0, 3));
        Assert.Equal(0, result.Tally["fault lying-syncs"]);
        Assert.Equal(
            workload.Harmed.Count,
            Kinds
                .Where(kind => kind.Data != FaultKind.PauseAtClock)
                .Sum(kind => result.Tally[$"fault {FaultNames.Of(kind.Data)}"])
        );
    }

    [Fact]
    public void They_are_drawn_for_who_asks_and_nothing_else_is_drawn_otherwise()
    {
        string[] services = [SwarmServices.Keys, SwarmServices.Pings];
        FaultKind[] kinds = [.. Kinds.Select(kind => kind.Data)];
        var counts = kinds.ToDictionary(kind => kind, _ => 0);
        int strict = 0;
        for (ulong seed = 0; seed < 300; seed++)
        {
            SwarmOptions plain = SwarmDraw.Draw(seed, new SwarmWishes(), services),
                none = SwarmDraw.Draw(seed, new SwarmWishes(), services, static _ => []),
                asked = SwarmDraw.Draw(seed, new SwarmWishes(), services, name => name == "keys" ? kinds : []);
            Assert.Equal(plain, none);
            Assert.Equal(
                plain,
                asked with
                {
                    Faults = [.. asked.Faults.Where(f => !SwarmOptions.IsOnlyAsked(f.Kind))],
                }
            );
            Assert.True(asked.Services.Contains("keys") || asked.Faults.Count == plain.Faults.Count);
            Assert.Equal(asked.IsStrict, plain.IsStrict && !asked.Has(FaultKind.PauseAtClock));
            strict += asked.IsStrict ? 1 : 0;
            asked.Faults.Select(fault => fault.Kind).Where(SwarmOptions.IsOnlyAsked).ToList().ForEach(k => counts[k]++);
        }

        Assert.InRange(strict, 60, 160);
        Assert.All(counts, one => Assert.InRange(one.Value, 20, 120));
        SwarmOptions wished = SwarmDraw.Draw(7, new SwarmWishes { Faults = [FaultKind.DiskRot] }, services);
        Assert.Equal(FaultKind.DiskRot, Assert.Single(wished.Faults).Kind);
    }

    private static SwarmOptions Small(ulong seed) =>
        new()
        {
            Seed = seed,
            Shape = "3x3x3",
            Services = [SwarmServices.Keys, SwarmServices.Pings],
            DetectionMillis = 100,
            KeyPacketsPerSecond = 60,
            Rounds = 2,
            RoundMillis = 500,
        };
}
