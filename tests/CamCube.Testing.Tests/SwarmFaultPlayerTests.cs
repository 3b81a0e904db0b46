using CamCube.Simulator.Swarm;

namespace CamCube.Testing.Tests;

/// <summary>Each kind of fault does what it says, where it says, for as long as it says; calm ends it early.</summary>
public sealed class SwarmFaultPlayerTests
{
    private static readonly Coordinate Where = new(1, 0, 0);

    public static TheoryData<string> Kinds =>
        [
            "crash 1,0,0",
            "restart 1,0,0",
            "cut 1,0,0 +x",
            "one-way-cut 1,0,0 +x",
            "flapping 1,0,0 +x 4ms",
            "isolation 1,0,0",
            "plane x=1",
            "halves half#3",
            "one-way-halves half#3",
            "loss all 100%",
            "corruption all 100%",
            "duplication all 100%",
            "delay 1,0,0 5ms",
            "reordering all 50%",
            "slow-link all 10Mbit/s",
            "pause 1,0,0",
            "clock-offset 1,0,0 5000ms",
            "clock-drift 1,0,0 200ppm",
            "disk-rot 1,0,0 100%",
            "misplaced-writes 1,0,0 100%",
            "stuck-disk 1,0,0 100%",
            "lost-files 1,0,0",
            "torn-writes 1,0,0",
            "full-disk 1,0,0",
            "slow-disk 1,0,0",
            "failing-disk 1,0,0 100%",
            "lying-syncs 1,0,0",
        ];

    [Fact]
    public void Every_kind_is_here_but_the_pause_that_waits_for_a_look_at_the_clock() =>
        Assert.Equal(
            FaultNames.All.Except(["pause-at-clock"]).Order(),
            Kinds.Select(static row => row.Data.Split(' ')[0]).Order()
        );

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_fault_is_there_while_it_lasts_and_not_before_nor_behind(string fault)
    {
        SwarmReport report = Run(
            $"{fault} at 50ms for 100ms",
            async run =>
            {
                await run.DelayAsync(TimeSpan.FromMilliseconds(49));
                run.Check(!IsHarmed(run, fault), "it begins later");
                await run.DelayAsync(TimeSpan.FromMilliseconds(3));
                run.Check(IsHarmed(run, fault), "it has begun");
                await run.DelayAsync(TimeSpan.FromMilliseconds(96));
                run.Check(IsHarmed(run, fault), "it goes on");
                await run.DelayAsync(TimeSpan.FromMilliseconds(3));
                run.Check(!IsHarmed(run, fault) || LeavesSomething(fault), "it has ended");
            }
        );
        Assert.Equal(1, Assert.Single(report.Faults).Value);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Calm_ends_it_and_no_other_begins(string fault) =>
        Run(
            $"{fault} at 50ms for 900000ms; crash 0,0,0 at 100ms for 50ms",
            async run =>
            {
                await run.DelayAsync(TimeSpan.FromMilliseconds(60));
                run.Check(IsHarmed(run, fault), "it has begun");
                await run.CalmAsync();
                run.Check(!IsHarmed(run, fault) || LeavesSomething(fault), "it has ended");
                run.Check(!run.IsUnderFaults, "nothing begins any more");
                run.Check(run.Cube[0].IsRunning, "nobody has crashed");
            }
        );

    [Fact]
    public void What_does_not_fit_the_moment_is_left_out()
    {
        SwarmReport report = Run(
            "crash 1,0,0 at 10ms for 100ms; crash 1,0,0 at 20ms for 1000ms; pause 1,0,0 at 30ms for 5ms",
            async run =>
            {
                await run.DelayAsync(TimeSpan.FromMilliseconds(120));
                run.Check(run.Cube[Where].IsRunning, "the first crash is over, and there is no second");
            }
        );
        Assert.Equal(FaultKind.Crash, Assert.Single(report.Faults).Key);
        Assert.Equal(1, report.Faults[FaultKind.Crash]);
    }

    // A clock that was set stays so.
    private static bool LeavesSomething(string fault) => fault.StartsWith("clock-offset", StringComparison.Ordinal);

    private static bool IsHarmed(SwarmCase run, string fault)
    {
        TestCube cube = run.Cube;
        long clock = cube[Where].IsRunning ? cube[Where].ServerOf<Mischief>().NowNanos : 0;
        return fault.Split(' ')[0] switch
        {
            "crash" or "restart" or "lost-files" or "torn-writes" => !cube[Where].IsRunning,
            "clock-offset" => !cube[Where].IsRunning || Math.Abs(clock - cube.NowNanos) > 1_000_000_000,
            "clock-drift" => clock != cube.NowNanos,
            "pause" => cube.Cube.IsPaused(cube.Shape.RankOf(Where)),
            "disk-rot" or "misplaced-writes" or "stuck-disk" or "full-disk" => cube.DiskFaults.Count == 1,
            "slow-disk" or "failing-disk" or "lying-syncs" => cube.DiskFaults.Count > 0,
            _ => cube.LinkFaults.Count == 1,
        };
    }

    private static SwarmReport Run(string faults, Func<SwarmCase, Task> scenario) =>
        TestCube.Swarm(
            new SwarmPlan
            {
                Shape = new TorusShape(2, 2, 1),
                Services = static cube => cube.Add(static server => new Mischief(server)),
                Replay = $"seed 3; {faults}",
            },
            scenario
        );
}
