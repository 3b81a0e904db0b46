using CamCube.Simulator.Swarm;

namespace CamCube.Testing.Tests;

/// <summary>What a plan says, what is drawn from it, and texts of runs.</summary>
public sealed class SwarmPlanTests
{
    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(2, 1, 1)]
    [InlineData(1, 1, 6)]
    [InlineData(3, 3, 3)]
    [InlineData(4, 2, 5)]
    public void Faults_of_every_kind_are_drawn_said_and_read_again_in_every_cube(int x, int y, int z)
    {
        var plan = new SwarmPlan
        {
            Services = static _ => { },
            Shape = new TorusShape(x, y, z),
            Faults = Enum.GetValues<FaultKind>(),
            MostFaults = 30,
        };
        HashSet<FaultKind> seen = [];
        int without = 0;
        for (ulong seed = 0; seed < 300; seed++)
        {
            IReadOnlyList<SwarmFault> faults = new SwarmFaultDraw(plan, seed).Draw();
            var replay = new SwarmReplay(seed, new Dictionary<string, int> { ["a b-1"] = -3 }, faults);
            SwarmReplay read = SwarmReplay.Parse(replay.ToString(), plan.Shape);
            Assert.Equal(faults, read.Faults);
            Assert.Equal((seed, -3), (read.Seed, read.Numbers["a b-1"]));
            Assert.Equal(faults.OrderBy(static f => f.At), faults);
            Assert.Equal(faults, new SwarmFaultDraw(plan, seed).Draw());
            seen.UnionWith(faults.Select(static f => f.Kind));
            without += faults.Count == 0 ? 1 : 0;
        }

        Assert.Equal(Enum.GetValues<FaultKind>().Where(k => x * y * z > 1 || !SwarmFault.IsOfCables(k)), seen.Order());
        Assert.InRange(without, 5, 100);
    }

    [Fact]
    public void Every_kind_of_fault_bites_or_at_least_bears_a_run_and_no_service_is_to_blame()
    {
        SwarmReport report = TestCube.Swarm(
            new SwarmPlan
            {
                Seeds = 60,
                Shape = new TorusShape(2, 2, 1),
                Services = static cube => cube.Add(static server => new Ledger(server, LedgerMistake.None)),
                Faults = Enum.GetValues<FaultKind>(),
                MostFaults = 40,
                MostStopped = 2,
                Recovery = TimeSpan.Zero,
            },
            static run =>
                run.CrowdAsync(
                    4,
                    async client =>
                    {
                        while (run.IsUnderFaults)
                        {
                            await client.AskAsync((Ledger l) => l.PutAsync("k", client.NextValue()));
                            await client.RestAsync(TimeSpan.FromMilliseconds(30));
                        }
                    }
                )
        );
        Assert.Equal(Enum.GetValues<FaultKind>(), report.Faults.Keys);
    }

    [Fact]
    public void No_more_servers_than_said_are_off_at_once_nor_soon_after()
    {
        var plan = new SwarmPlan
        {
            Services = static _ => { },
            Faults = [FaultKind.Crash, FaultKind.Restart, FaultKind.TornWrites],
            MostFaults = 100,
            MostStopped = 2,
        };
        int most = 0;
        for (ulong seed = 0; seed < 200; seed++)
        {
            IReadOnlyList<SwarmFault> faults = new SwarmFaultDraw(plan, seed).Draw();
            foreach (SwarmFault fault in faults)
            {
                most = Math.Max(
                    most,
                    faults.Count(f => f.At <= fault.At && f.At + f.Length + plan.Recovery > fault.At)
                );
            }
        }

        Assert.Equal(2, most);
    }

    [Theory]
    [InlineData("", "it begins with 'seed 17'")]
    [InlineData("17", "it begins with 'seed 17'")]
    [InlineData("seed x", "it begins with 'seed 17'")]
    [InlineData("seed 1; a=b", "'b' is no number")]
    [InlineData("seed 1; crash", "'crash' is no fault: it is 'KIND WHERE [AMOUNT] at 12ms for 300ms'")]
    [InlineData("seed 1; crush 0,0,0 at 1ms for 2ms", "'crush' is no kind of fault; there are crash, restart, cut")]
    [InlineData("seed 1; crash 9,0,0 at 1ms for 2ms", "'9,0,0' is no server of a 3x3x3 cube")]
    [InlineData("seed 1; crash at 1ms for 2ms", "'crash at 1ms for 2ms' is no fault")]
    [InlineData("seed 1; cut 0,0,0 +w at 1ms for 2ms", "'0,0,0 +w' is no cable of a 3x3x3 cube")]
    [InlineData("seed 1; one-way-cut 0,0,0 at 1ms for 2ms", "'0,0,0' is no cable of a 3x3x3 cube")]
    [InlineData("seed 1; plane z=3 at 1ms for 2ms", "'z=3' is no plane (z=1) and no half (half#7) of a 3x3x3 cube")]
    [InlineData("seed 1; loss all 5 at 1ms for 2ms", "'5' is no amount in %")]
    [InlineData("seed 1; loss all 500% at 1ms for 2ms", "'500%' is out of range")]
    [InlineData("seed 1; flapping 0,0,0 +x 0ms at 1ms for 2ms", "'0ms' is out of range")]
    [InlineData("seed 1; loss all 5% at -1ms for 2ms", "'-1ms' is no time in ms")]
    [InlineData("seed 1; loss all 5% at 1ms for 0ms", "'0ms' is no time in ms")]
    [InlineData("seed 1; loss all 5% at NaNms for 1ms", "'NaNms' is no time in ms")]
    public void A_replay_that_is_none_is_told_in_one_line(string text, string why)
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() =>
            TestCube.Swarm(1, static _ => { }, static _ => Task.CompletedTask, text)
        );
        Assert.StartsWith("SwarmPlan.Replay: ", e.Message, StringComparison.Ordinal);
        Assert.Contains(why, e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', e.Message);
    }

    [Fact]
    public void A_plan_out_of_range_is_refused_by_name()
    {
        static void Bad(Func<SwarmPlan, SwarmPlan> change, string name)
        {
            ArgumentException e = Assert.ThrowsAny<ArgumentException>(() =>
                TestCube.Swarm(change(new SwarmPlan { Services = static _ => { } }), static _ => Task.CompletedTask)
            );
            Assert.Contains(name, e.Message, StringComparison.Ordinal);
        }

        Bad(static p => p with { Seeds = 0 }, "Seeds");
        Bad(static p => p with { Shape = default }, "Shape");
        Bad(static p => p with { Replay = "seed 1; mice=3" }, "the scenario draws no number 'mice'");
        Bad(static p => p with { MostFaults = -1 }, "MostFaults");
        Bad(static p => p with { MostStopped = 28 }, "MostStopped");
        Bad(static p => p with { Duration = TimeSpan.FromSeconds(-1) }, "Duration");
        Bad(static p => p with { Deadline = TimeSpan.Zero }, "Deadline");
        Bad(static p => p with { Services = null! }, "Services");
    }

    [Fact]
    public void No_faults_are_drawn_where_there_may_be_none()
    {
        var plan = new SwarmPlan { Services = static _ => { }, MostFaults = 0 };
        Assert.All(Enumerable.Range(0, 50), seed => Assert.Empty(new SwarmFaultDraw(plan, (ulong)seed).Draw()));
        plan = plan with { MostFaults = 12, MostStopped = 0, Faults = [FaultKind.Crash, FaultKind.Restart] };
        Assert.All(Enumerable.Range(0, 50), seed => Assert.Empty(new SwarmFaultDraw(plan, (ulong)seed).Draw()));
    }

    [Fact]
    public void A_replay_of_a_seed_alone_has_the_faults_that_the_swarm_drew()
    {
        static SwarmReport Run(string? replay) =>
            TestCube.Swarm(
                new SwarmPlan
                {
                    Seeds = 1,
                    FirstSeed = 12,
                    Shape = new TorusShape(2, 2, 2),
                    Services = static _ => { },
                    Replay = replay,
                },
                static run => run.DelayAsync(run.Plan.Duration)
            );
        Assert.Equal(Run(null).ToString(), Run("seed 12").ToString());
        Assert.NotEmpty(Run("seed 12").Faults);
        Assert.Empty(Run("seed 12; no faults").Faults);
    }
}
