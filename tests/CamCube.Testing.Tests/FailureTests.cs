using System.Diagnostics.CodeAnalysis;
using CamCube.Histories;
using CamCube.Histories.Recording;
using CamCube.Simulator.Swarm;

namespace CamCube.Testing.Tests;

/// <summary>Whatever goes wrong in a run is named, with its seed, and nothing hangs.</summary>
public sealed class FailureTests
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(300);
    private static int _runs;

    [Fact]
    public void A_scenario_that_throws_is_told_with_its_seed_and_the_exception_itself()
    {
        SwarmFailedException e = Fails(run =>
            run.Seed < 4 ? Task.CompletedTask : throw new FormatException("no such thing")
        );
        Assert.StartsWith("Seed 4 fails (run 4 of 20). The scenario threw FormatException: no such", e.Message);
        Assert.IsType<FormatException>(e.InnerException);
        Assert.Contains("It needs no faults", e.Message);
        Assert.EndsWith("Run just this again: Replay = \"seed 4; no faults\"", e.Message);
    }

    [Fact]
    public void Of_a_crowd_the_first_to_throw_fails_the_run_though_others_go_on()
    {
        SwarmFailedException e = Fails(run =>
            run.CrowdAsync(
                30,
                async client =>
                {
                    await run.DelayAsync(TimeSpan.FromMilliseconds(client.Number));
                    run.Check(client.Number != 7, "nobody is the seventh");
                    await run.DelayAsync(TimeSpan.FromHours(1));
                }
            )
        );
        Assert.StartsWith("A check fails: nobody is the seventh", e.Finding);
    }

    [Fact]
    public void A_scenario_that_hangs_is_told_with_who_waits_since_when()
    {
        SwarmFailedException e = Fails(run =>
            run.CrowdAsync(
                3,
                async client =>
                {
                    if (client.Number == 1)
                    {
                        await run.UntilAsync(() => false, "pigs fly");
                    }
                }
            )
        );
        Assert.StartsWith("The scenario did not end within 00:01:00 of virtual time (SwarmPlan.Deadline):", e.Finding);
        Assert.Contains("client 1 has not ended, since 0.000 ms", e.Finding);
        Assert.Contains("the scenario waits until pigs fly, since 0.000 ms", e.Finding);
    }

    [Fact]
    public void A_scenario_that_awaits_nothing_of_the_run_is_told_so()
    {
        SwarmFailedException e = Fails(_ => new TaskCompletionSource().Task);
        Assert.Contains("what else it awaits does not end in virtual time", e.Finding);
    }

    [Fact]
    public void A_scenario_that_lets_time_pass_for_ever_is_told_so()
    {
        SwarmFailedException e = Fails(async run =>
        {
            while (true)
            {
                await run.DelayAsync(TimeSpan.FromMilliseconds(100));
            }
        });
        Assert.Contains("It lets time pass again and again, and asks nobody.", e.Finding);
    }

    [Fact]
    public void A_history_of_ones_own_is_checked_and_one_that_throws_is_told_with_the_seed()
    {
        SwarmFailedException e = Fails(run =>
        {
            run.Add(new OwnHistory(() => new HistoryFinding(false, () => "own: all is wrong")));
            return Task.CompletedTask;
        });
        Assert.Equal("own: all is wrong", e.Finding);
        e = Fails(run =>
        {
            run.Add(new OwnHistory(() => throw new FormatException("cannot judge")));
            return Task.CompletedTask;
        });
        Assert.StartsWith("Seed 1 fails (run 1 of 20). The run broke off: FormatException: cannot judge", e.Message);
    }

    [Fact]
    public void A_service_that_never_answers_is_no_hang_but_an_answer_that_nobody_knows()
    {
        SwarmReport report = Swarm(async run =>
        {
            SwarmClient client = run.CreateClient();
            SwarmAnswer<bool> told = await client.AskAsync(
                (Mischief m) => m.DoAsync(_ => new TaskCompletionSource().Task)
            );
            run.Check(told.Outcome == HistoryAnswer.Unknown, told.Why);
            run.Check(run.Now >= run.Plan.Patience, "it waited");
            Assert.Throws<InvalidOperationException>(() => told.Value);
        });
        Assert.Equal((20, 0, 20), (report.Runs, report.Answered, report.Unanswered));
    }

    [Fact]
    public void An_answer_is_not_waited_for_when_the_server_is_gone_and_the_client_goes_elsewhere()
    {
        Swarm(async run =>
        {
            SwarmClient client = run.CreateClient();
            Coordinate home = client.Server.Coordinate;
            Task<SwarmAnswer<bool>> asked = client.AskAsync(
                (Mischief m) => m.DoAsync(_ => new TaskCompletionSource().Task)
            );
            await run.DelayAsync(TimeSpan.FromMilliseconds(3));
            run.Cube.Kill(home);
            SwarmAnswer<bool> told = await asked;
            run.Check(told.Outcome == HistoryAnswer.Unknown, "nobody knows");
            run.Check(run.Now < TimeSpan.FromMilliseconds(5), $"it is told at once, not at {run.Now}");
            run.Check((await client.AskAsync((Mischief m) => m.DoAsync(_ => Task.CompletedTask))).Value, "elsewhere");
            run.Check(client.Server.Coordinate != home, "it has moved");
        });
    }

    [Fact]
    public void Nobody_is_asked_where_no_server_runs_and_time_passes_all_the_same()
    {
        Swarm(async run =>
        {
            SwarmClient client = run.CreateClient();
            for (int rank = 0; rank < run.Cube.Shape.Count; rank++)
            {
                run.Cube.Kill(run.Cube.Shape.At(rank));
            }

            SwarmAnswer<bool> told = await client.AskAsync((Mischief m) => m.DoAsync(_ => Task.CompletedTask));
            run.Check(told.Outcome == HistoryAnswer.Unavailable, "it was not done");
            run.Check(run.Now > TimeSpan.Zero, "time passes");
        });
    }

    [Fact]
    public void A_service_that_throws_is_named_with_its_server_and_the_fault_that_brings_it_about()
    {
        SwarmFailedException e = Fails(
            async run => await run.DelayAsync(TimeSpan.FromSeconds(1.5)),
            plan => plan with { Services = cube => cube.Add(s => new Mischief(s, Throw)), Seeds = 50 }
        );
        Assert.StartsWith("Service mischief threw on ", e.Finding);
        Assert.Contains("NotImplementedException: what to do then?", e.Finding);
        Assert.Single(e.Faults);

        [DoesNotReturn]
        static void Throw() => throw new NotImplementedException("what to do then?");
    }

    [Fact]
    public void A_service_may_throw_where_that_is_right()
    {
        SwarmReport report = Swarm(
            async run => await run.DelayAsync(TimeSpan.FromSeconds(1.2)),
            plan =>
                plan with
                {
                    Services = cube => cube.Add(s => new Mischief(s, () => throw new NotImplementedException())),
                    MayFault = fault => fault.Exception is NotImplementedException,
                }
        );
        Assert.Equal(20, report.Runs);
    }

    [Fact]
    public void What_a_call_throws_is_a_fault_of_the_service()
    {
        SwarmFailedException e = Fails(async run =>
        {
            await run.DelayAsync(TimeSpan.FromMilliseconds(1));
            await run.CreateClient().AskAsync((Mischief m) => m.DoAsync(_ => throw new FormatException("in a call")));
        });
        Assert.StartsWith("Service mischief threw on", e.Finding);
        Assert.Contains("in a call", e.Finding);
    }

    [Fact]
    public void Commands_are_answered_refused_or_nobody_knows()
    {
        Swarm(async run =>
        {
            SwarmClient client = run.CreateClient();
            SwarmAnswer<CommandResult> told = await client.CommandAsync(CommandCall.Of("mischief", "say"));
            run.Check(told.Value is { Status: CommandStatus.Refused, Text: "no" }, "it refuses");
            Coordinate home = client.Server.Coordinate;
            Task<SwarmAnswer<CommandResult>> asked = client.CommandAsync(CommandCall.Of("mischief", "wait"));
            await run.DelayAsync(TimeSpan.FromMilliseconds(1));
            run.Cube.Kill(home);
            told = await asked;
            run.Check(told.Outcome == HistoryAnswer.Unknown, told.Why);
            told = await client.CommandAsync(CommandCall.Of("mischief", "wait"), Short);
            run.Check(told.Outcome == HistoryAnswer.Unknown, told.Why);
        });
        SwarmFailedException e = Fails(run => run.CreateClient().CommandAsync(CommandCall.Of("mischief", "throw")));
        Assert.StartsWith("A check fails: mischief throw: throw threw FormatException: oh", e.Finding);
        e = Fails(run => run.CreateClient().CommandAsync(CommandCall.Of("mischief", "sing")));
        Assert.StartsWith("A check fails: mischief sing: ", e.Finding);
    }

    [Fact]
    public void A_callback_that_computes_for_ever_ends_the_process_with_service_server_and_seed()
    {
        string? last = null;
        Fails(
            async run =>
                await run.CreateClient()
                    .AskAsync(
                        (Mischief m) =>
                            m.DoAsync(_ =>
                            {
                                SpinUntil(() => Volatile.Read(ref last) is not null);
                                throw new FormatException("over");
                            })
                    ),
            plan =>
                plan with
                {
                    CallbackLimit = Short,
                    FailFast = text => Volatile.Write(ref last, text),
                    FirstSeed = 5,
                    MostShrinkRuns = 0,
                }
        );
        Assert.Contains("mischief.", last);
        Assert.Contains("(TestCube.CallbackLimit; seed 5 of TestCube.Swarm). It computes without end", last);
    }

    [Fact]
    public void A_callback_that_waits_for_ever_is_interrupted_and_named_and_not_tried_again()
    {
        using var never = new ManualResetEventSlim();
        SwarmFailedException e = Fails(
            async run =>
                await run.CreateClient()
                    .AskAsync(
                        (Mischief m) =>
                            m.DoAsync(_ =>
                            {
                                never.Wait();
                                return Task.CompletedTask;
                            })
                    ),
            plan => plan with { CallbackLimit = Short }
        );
        Assert.Contains("has not returned for 0.3 s of real time (TestCube.CallbackLimit; seed 1 of", e.Finding);
        Assert.DoesNotContain("more runs", e.Message);
    }

    [Fact]
    public void A_scenario_that_computes_for_ever_ends_the_process_with_the_seed()
    {
        string? last = null;
        Fails(
            async run =>
            {
                await run.DelayAsync(TimeSpan.FromMilliseconds(1));
                SpinUntil(() => Volatile.Read(ref last) is not null);
                run.Check(false, "over");
            },
            plan =>
                plan with
                {
                    CallbackLimit = Short,
                    FailFast = text => Volatile.Write(ref last, text),
                    MostShrinkRuns = 0,
                }
        );
        Assert.StartsWith(
            "CamCube test: The scenario, or a client of it, has not returned for 0.3 s of real time",
            last
        );
        Assert.Contains("seed 1 of TestCube.Swarm", last);
    }

    [Fact]
    public void A_scenario_that_blocks_its_thread_is_interrupted_and_named()
    {
        using var never = new ManualResetEventSlim();
        SwarmFailedException e = Fails(
            async run =>
            {
                await run.DelayAsync(TimeSpan.FromMilliseconds(1));
                never.Wait();
            },
            plan => plan with { CallbackLimit = Short }
        );
        Assert.StartsWith("The scenario, or a client of it, has not returned for 0.3 s of real time", e.Finding);
    }

    [Fact]
    public void A_scenario_that_goes_on_and_on_in_one_moment_is_named()
    {
        SwarmFailedException e = Fails(async _ =>
        {
            while (true)
            {
                await Task.Yield();
            }
        });
        Assert.StartsWith("The scenario goes on and on while no virtual time passes", e.Finding);
    }

    [Fact]
    public void What_ends_on_another_thread_is_named()
    {
        SwarmFailedException e = Fails(async run =>
        {
            Task other = Task.Run(static () => Thread.Sleep(1), TestContext.Current.CancellationToken);
            Task waits = AwaitAsync(other);
            while (!waits.IsCompleted)
            {
                // So that virtual time does not run away before the other thread is there.
                Thread.Sleep(1);
                await run.DelayAsync(TimeSpan.FromMilliseconds(1));
            }
        });
        Assert.StartsWith(
            "The scenario awaits something that ends on another thread (Task.Delay, Task.Run,",
            e.Finding
        );

        static async Task AwaitAsync(Task other) => await other;
    }

    [Fact]
    public void Who_leaves_the_thread_of_the_scenario_may_not_ask()
    {
        SwarmFailedException e = Fails(async run =>
        {
            SwarmClient client = run.CreateClient();
            await Task.Run(() => client.AskAsync((Mischief m) => m.DoAsync(_ => Task.CompletedTask)));
        });
        Assert.Contains("no Task.Run and no ConfigureAwait(false)", e.Finding);
    }

    [Fact]
    public void A_scenario_that_leaves_somebody_waiting_is_told_who()
    {
        SwarmFailedException e = Fails(async run =>
        {
            _ = run.CreateClient().AskAsync((Mischief m) => m.DoAsync(s => s.DelayAsync(Short).AsTask()));
            await run.DelayAsync(TimeSpan.FromMilliseconds(1));
        });
        Assert.StartsWith("The scenario has ended while somebody still waits; await all that it begins:", e.Finding);
        Assert.Contains("client 0 waits for Mischief at ", e.Finding);
    }

    [Fact]
    public void A_packet_that_is_kept_is_told_with_who_has_it()
    {
        SwarmFailedException e = Fails(async run => await run.CreateClient().AskAsync((Mischief m) => m.KeepAsync()));
        Assert.Contains("packets are still owned", e.Finding);
        Assert.Contains("mischief", e.Finding);
        Assert.Equal(
            20,
            Swarm(
                async run => await run.CreateClient().AskAsync((Mischief m) => m.KeepAsync()),
                p => p with { MustBeQuiet = false }
            ).Runs
        );
    }

    [Fact]
    public void What_depends_on_more_than_the_seed_is_said_to_be_not_repeatable()
    {
        _runs = 0;
        SwarmFailedException e = Fails(run =>
        {
            run.Check(_runs++ != 2, "the third run");
            return Task.CompletedTask;
        });
        Assert.Contains("NOT REPEATABLE: run once more with the same seed it did not fail. The service or", e.Message);
    }

    [Fact]
    public void Time_is_not_moved_in_a_scenario_but_awaited()
    {
        SwarmFailedException e = Fails(run =>
        {
            run.Cube.Advance(TimeSpan.FromMilliseconds(1));
            return Task.CompletedTask;
        });
        Assert.Contains("In a scenario of TestCube.Swarm time is not moved but awaited: run.DelayAsync", e.Finding);
    }

    [Fact]
    public void A_history_that_is_too_ambiguous_fails_as_not_decided()
    {
        SwarmFailedException e = Fails(async run =>
        {
            SumHistory sum = run.Sum();
            for (int i = 0; i < 60; i++)
            {
                sum.Add(0, 1L << i);
            }

            RecordedRead<long> read = sum.Read(0);
            await run.DelayAsync(TimeSpan.FromMilliseconds(1));
            read.End(HistoryAnswer.Done, 12_345_678_901);
        });
        Assert.StartsWith("sum: not decided whether client 0 was told a right sum", e.Finding);
    }

    [Fact]
    public void A_number_shrinks_to_the_least_that_fails()
    {
        SwarmFailedException e = Fails(run =>
        {
            int boxes = run.Draw("boxes", 1, 1_000),
                others = run.Draw("other things", -5, 5);
            run.Check(boxes < 17, $"{boxes} boxes are too many beside {others}");
            return Task.CompletedTask;
        });
        Assert.StartsWith("A check fails: 17 boxes are too many beside -5", e.Finding);
        Assert.Contains("boxes=17; other things=-5; no faults", e.Replay);
    }

    [Fact]
    public void A_crowd_that_works_while_there_are_faults_works_no_longer_than_it_takes_to_fail()
    {
        SwarmFailedException e = Fails(async run =>
        {
            int rounds = 0;
            while (run.IsUnderFaults)
            {
                rounds++;
                await run.DelayAsync(TimeSpan.FromMilliseconds(10));
            }

            run.Check(rounds < 13, $"{rounds} rounds are too many");
        });
        Assert.StartsWith("A check fails: 13 rounds are too many", e.Finding);
        Assert.Contains("ms under faults=121; no faults", e.Replay);
        e = Fails(static run => Task.FromResult(run.Draw("ms under faults", 0, 1)));
        Assert.Contains("'ms under faults' is what a message calls the time under faults.", e.Finding);
    }

    private sealed class OwnHistory(Func<HistoryFinding> check) : IRecordedHistory
    {
        public string Name => "own";

        public int Operations => 1;

        public HistoryFinding Check() => check();
    }

    private static void SpinUntil(Func<bool> isOver)
    {
        while (!isOver())
        {
            Thread.SpinWait(100);
        }
    }

    private static SwarmFailedException Fails(
        Func<SwarmCase, Task> scenario,
        Func<SwarmPlan, SwarmPlan>? change = null
    ) => Assert.Throws<SwarmFailedException>(() => Swarm(scenario, change));

    private static SwarmReport Swarm(Func<SwarmCase, Task> scenario, Func<SwarmPlan, SwarmPlan>? change = null)
    {
        var plan = new SwarmPlan
        {
            Seeds = 20,
            Shape = new TorusShape(2, 2, 1),
            Services = cube => cube.Add(server => new Mischief(server)),
            Faults = [FaultKind.Cut, FaultKind.Isolation],
        };
        return TestCube.Swarm(change?.Invoke(plan) ?? plan, scenario);
    }
}
