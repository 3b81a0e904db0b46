using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using CamCube.Swarm.KeyValues;
using CamCube.Swarm.Runs;

namespace CamCube.Swarm.Tests.KeyValues;

/// <summary>The key-value store in swarm runs: promises kept under every fault, and planted mistakes found.</summary>
public sealed class KeyValueWorkloadTests
{
    public static TheoryData<FaultKind> Kinds =>
        [.. Enum.GetValues<FaultKind>().Where(kind => !SwarmOptions.IsOnlyAsked(kind))];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Under_every_fault_the_store_keeps_its_promises(FaultKind kind)
    {
        SwarmResult result = SwarmRunner.RunOne(Small(3) with { Faults = [new FaultRate(kind, 4)] }, default);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally["check kv-linearizable"] > 300);
        Assert.True(result.Tally["check kv-told"] > 150);
        Assert.True(result.Tally["check kv-log"] > 1_000);
        Assert.True(result.Tally["check kv-once"] > 100);
        Assert.True(result.Tally["check kv-leaders"] > 500);
        Assert.True(result.Tally["check kv-progress"] > 50);
        Assert.True(result.Tally["check kv-settled"] > 1_000);
    }

    public static TheoryData<FaultKind> DiskFaults => [.. KeyValueWorkload.DiskFaults];

    [Theory]
    [MemberData(nameof(DiskFaults))]
    public void Under_every_fault_of_disks_the_store_keeps_its_promises(FaultKind kind)
    {
        SwarmOptions options = Small(3) with
        {
            Services = [KeyValueWorkload.Disks],
            Faults = [new FaultRate(kind, 6), new FaultRate(FaultKind.Restart, 2)],
        };
        SwarmResult result = SwarmRunner.RunOne(options, default);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally[$"fault {FaultNames.Of(kind)}"] > 0);
    }

    // Copies, and how reads and changes are confirmed: one run of each fault, of all that is drawn.
    [Theory]
    [MemberData(nameof(ModeFaults))]
    public void Whatever_is_promised_is_kept_under_every_fault(FaultKind kind, ulong seed)
    {
        SwarmOptions options = Small(seed) with
        {
            Services = [KeyValueWorkload.Modes],
            Faults = [new FaultRate(kind, 4), new FaultRate(FaultKind.Restart, 2)],
        };
        SwarmResult result = SwarmRunner.RunOne(options, default);
        Assert.Empty(result.Failures);
        Assert.True(result.Tally["check kv-linearizable"] > 100);
    }

    public static TheoryData<FaultKind, ulong> ModeFaults =>
        new(
            new[]
            {
                FaultKind.Crash,
                FaultKind.Pause,
                FaultKind.PauseAtClock,
                FaultKind.OneWayCut,
                FaultKind.Isolation,
                FaultKind.ClockDrift,
                FaultKind.ClockOffset,
                FaultKind.Loss,
            }.Select(static (kind, i) => (kind, (ulong)i + 21))
        );

    // From a seed on that is known to be near one that finds it.
    [Fact]
    public void A_clock_that_is_looked_at_before_the_value_is_found_within_ten_seeds()
    {
        ulong seed = 27;
        while (seed < 37)
        {
            SwarmOptions options = Small(seed) with
            {
                Services = [KeyValueWorkload.ClockFirst],
                Faults =
                [
                    new FaultRate(FaultKind.PauseAtClock, 20),
                    new FaultRate(FaultKind.Pause, 6),
                    new FaultRate(FaultKind.Isolation, 6),
                ],
                RoundMillis = 1_000,
            };
            if (SwarmRunner.RunOne(options, default).Failures.Any(f => f.Checker == "kv-linearizable"))
            {
                break;
            }

            seed++;
        }

        TestContext.Current.TestOutputHelper!.WriteLine($"seed {seed}");
        Assert.InRange(seed, 27UL, 36UL);
    }

    [Fact]
    public void Equal_seeds_give_equal_runs()
    {
        FaultRate[] faults = [.. Kinds.Select(k => new FaultRate(k, 1))];
        SwarmResult[] runs =
        [
            .. new ulong[] { 5, 5, 6 }.Select(s => SwarmRunner.RunOne(Small(s) with { Faults = faults }, default)),
        ];
        Assert.Equal((runs[0].TraceHash, runs[0].VirtualNanos), (runs[1].TraceHash, runs[1].VirtualNanos));
        Assert.Equal(runs[0].Tally.Counts, runs[1].Tally.Counts);
        Assert.NotEqual(runs[0].TraceHash, runs[2].TraceHash);
    }

    // Each by what it breaks; from a seed on that is known to be near one that does.
    [Theory]
    [InlineData(KeyValueWorkload.Unsynced, "kv-log", 1)]
    [InlineData(KeyValueWorkload.Unconfirmed, "kv-linearizable", 1)]
    [InlineData(KeyValueWorkload.Forgetful, "kv-once", 4)]
    [InlineData(KeyValueWorkload.Unbound, "kv-leaders", 1)]
    [InlineData(KeyValueWorkload.Torn, "kv-linearizable", 1)]
    public void A_planted_mistake_is_found_within_ten_seeds(string service, string checker, ulong from)
    {
        ulong seed = from;
        while (seed < from + 10)
        {
            SwarmOptions options = Small(seed) with
            {
                Services = [service],
                Faults = [new FaultRate(FaultKind.Crash, 8), new FaultRate(FaultKind.Pause, 6)],
                RoundMillis = 1_000,
            };
            if (SwarmRunner.RunOne(options, default).Failures.Any(f => f.Checker == checker))
            {
                break;
            }

            seed++;
        }

        TestContext.Current.TestOutputHelper!.WriteLine($"seed {seed}");
        Assert.InRange(seed, from, from + 9);
    }

    [Fact]
    public void A_store_in_memory_that_keeps_its_id_is_found_within_twenty_seeds()
    {
        ulong seed = 1;
        while (seed < 21)
        {
            SwarmOptions options = Small(seed) with
            {
                Services = [KeyValueWorkload.SameMemory],
                Faults = [new FaultRate(FaultKind.Crash, 8), new FaultRate(FaultKind.Pause, 4)],
                RoundMillis = 1_000,
            };
            string[] by = [.. SwarmRunner.RunOne(options, default).Failures.Select(static f => f.Checker)];
            if (by.Length > 0)
            {
                TestContext.Current.TestOutputHelper!.WriteLine($"seed {seed}: {string.Join(' ', by)}");
                break;
            }

            seed++;
        }

        Assert.InRange(seed, 1UL, 20UL);
    }

    [Theory]
    [InlineData(FaultKind.Crash, 2)]
    [InlineData(FaultKind.Halves, 1)]
    [InlineData(FaultKind.Pause, 2)]
    [InlineData(FaultKind.SlowLink, 1)]
    public void What_an_operator_goes_on_with_is_all_that_anybody_has(FaultKind kind, ulong seed)
    {
        SwarmOptions options = Small(seed) with
        {
            Services = [KeyValueWorkload.Lost],
            Faults = [new FaultRate(kind, 3)],
            Shape = "3x3x1",
            RoundMillis = 1_500,
        };
        SwarmResult result = SwarmRunner.RunOne(options, default);
        Assert.Empty(result.Failures);
        TestContext.Current.TestOutputHelper!.WriteLine(
            $"{result.Tally["kv generation begun by hand"]} {result.Tally["kv stores given up by hand"]}"
        );
        Assert.InRange(result.Tally["kv generation begun by hand"], 10, 10_000);
        Assert.InRange(result.Tally["kv stores given up by hand"], 1, 4);
    }

    // What is lost for good is lost when two members fetch at once, or when a disk comes back that was given up.
    [Theory]
    [InlineData(KeyValueWorkload.Half, "kv-epochs", 23)]
    [InlineData(KeyValueWorkload.LetIn, "kv-given-up", 1)]
    public void A_planted_mistake_of_recovery_by_hand_is_found_within_twenty_seeds(
        string service,
        string checker,
        ulong from
    )
    {
        ulong seed = from;
        while (seed < from + 20)
        {
            SwarmOptions options = Small(seed) with
            {
                Services = [service],
                Faults = [new FaultRate(FaultKind.Crash, 3)],
                Shape = "3x3x1",
                RoundMillis = 1_500,
            };
            if (SwarmRunner.RunOne(options, default).Failures.Any(f => f.Checker == checker))
            {
                break;
            }

            seed++;
        }

        TestContext.Current.TestOutputHelper!.WriteLine($"seed {seed}");
        Assert.InRange(seed, from, from + 19);
    }

    // With faults that bring them to light; from a seed on that is known to be near one that does.
    [Theory]
    [InlineData(KeyValueWorkload.Early, "kv-epochs", FaultKind.Isolation, 2)]
    [InlineData(KeyValueWorkload.Stateless, "kv-epochs", FaultKind.Isolation, 4)]
    [InlineData(KeyValueWorkload.RotCut, "kv-promises", FaultKind.DiskRot, 3)]
    [InlineData(KeyValueWorkload.Undeleted, "kv-settled", FaultKind.Isolation, 33)]
    [InlineData(KeyValueWorkload.SameId, "kv-promises", FaultKind.LostFiles, 2)]
    public void A_planted_mistake_is_found_within_twenty_seeds(
        string service,
        string checker,
        FaultKind fault,
        ulong from
    )
    {
        ulong seed = from;
        while (seed < from + 20)
        {
            SwarmOptions options = Small(seed) with
            {
                Services = [service],
                Faults = [new FaultRate(FaultKind.Crash, 6), new FaultRate(fault, 4)],
                RoundMillis = 1_000,
            };
            if (SwarmRunner.RunOne(options, default).Failures.Any(f => IsFoundBy(f, checker)))
            {
                break;
            }

            seed++;
        }

        TestContext.Current.TestOutputHelper!.WriteLine($"seed {seed}");
        Assert.InRange(seed, from, from + 19);
    }

    // Of all that may not have come to rest, that members have not the same.
    private static bool IsFoundBy(CheckFailure failure, string checker) =>
        failure.Checker == checker
        && (checker != "kv-settled" || failure.What.EndsWith("at the first member", StringComparison.Ordinal));

    private static SwarmOptions Small(ulong seed) =>
        new()
        {
            Seed = seed,
            Shape = "3x2x2",
            Services = [KeyValueWorkload.Name],
            DetectionMillis = 100,
            Rounds = 2,
            RoundMillis = 600,
        };
}
