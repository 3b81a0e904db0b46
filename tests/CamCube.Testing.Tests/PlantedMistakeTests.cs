namespace CamCube.Testing.Tests;

/// <summary>What the kit is for: services with a planted mistake are found, and shrunk to few faults; the same service
/// without is not.</summary>
public sealed class PlantedMistakeTests
{
    private const int Seeds = 200;

    [Theory]
    [InlineData(nameof(LedgerMistake.LostWrite), "^(register|sum)")]
    [InlineData(nameof(LedgerMistake.StaleRead), "^register")]
    [InlineData(nameof(LedgerMistake.DoubledSum), "^sum")]
    public void A_planted_mistake_is_found_and_shrunk(string mistake, string history)
    {
        SwarmFailedException e = Assert.Throws<SwarmFailedException>(() =>
            TestCube.Swarm(Plan(Enum.Parse<LedgerMistake>(mistake)), Scenario)
        );
        TestContext.Current.TestOutputHelper!.WriteLine(e.Message);
        Assert.Matches(history, e.Finding);
        Assert.InRange(e.Faults.Count, 1, 5);

        // The line that it says shows just the same.
        SwarmPlan again = Plan(Enum.Parse<LedgerMistake>(mistake)) with
        {
            Replay = e.Replay,
            MostShrinkRuns = 0,
        };
        SwarmFailedException same = Assert.Throws<SwarmFailedException>(() => TestCube.Swarm(again, Scenario));
        Assert.Equal((e.Seed, e.Finding, e.Replay), (same.Seed, same.Finding, same.Replay));
    }

    [Fact]
    public void A_service_that_is_right_passes_all_seeds()
    {
        SwarmReport report = TestCube.Swarm(Plan(LedgerMistake.None), Scenario);
        TestContext.Current.TestOutputHelper!.WriteLine(report.ToString());
        Assert.Equal(Seeds, report.Runs);
        Assert.Equal(SwarmPlan.UsualFaults.Order(), report.Faults.Keys);
        Assert.True(report.Unanswered > 10, report.ToString());
        Assert.True(report.Answered > 10 * report.Unanswered, report.ToString());
        Assert.True(report.Operations > 20 * Seeds, report.ToString());
    }

    private static SwarmPlan Plan(LedgerMistake mistake) =>
        new()
        {
            Seeds = Seeds,
            Shape = new TorusShape(2, 2, 2),
            Services = cube => cube.Add(server => new Ledger(server, mistake)),
        };

    // A crowd that writes, reads and adds while there are faults; in the end everything is asked once more.
    private static async Task Scenario(SwarmCase run)
    {
        int keys = run.Draw("keys", 1, 3);
        await run.CrowdAsync(
            run.Draw("clients", 2, 5),
            async client =>
            {
                while (run.IsUnderFaults)
                {
                    await ActAsync(run, client, $"k{client.Random.Next(keys)}");
                    await client.RestAsync(TimeSpan.FromMilliseconds(25));
                    if (client.Random.Next(4) == 0)
                    {
                        client.Move();
                    }
                }
            }
        );
        await run.CalmAsync();
        SwarmClient last = run.CreateClient();
        for (int key = 0; key < keys; key++)
        {
            run.Check(await ReadAsync(run, last, $"k{key}"), "a read is answered when all faults are over");
        }

        run.Check(await SumAsync(run, last), "the sum is answered when all faults are over");
    }

    private static async Task ActAsync(SwarmCase run, SwarmClient client, string key)
    {
        switch (client.Random.Next(6))
        {
            case 0 or 1:
                string value = client.NextValue();
                var write = run.Registers.Write(client.Number, key, value);
                write.End(
                    (await client.AskAsync((Ledger l) => l.PutAsync(key, value))).OutcomeIf(static isDone => isDone)
                );
                break;
            case 2 or 3:
                await ReadAsync(run, client, key);
                break;
            case 4:
                long by = client.Random.Next(1, 1_000);
                var add = run.Sum().Add(client.Number, by);
                add.End((await client.AskAsync((Ledger l) => l.AddAsync(by))).OutcomeIf(static isDone => isDone));
                break;
            default:
                await SumAsync(run, client);
                break;
        }
    }

    private static async Task<bool> ReadAsync(SwarmCase run, SwarmClient client, string key)
    {
        var read = run.Registers.Read(client.Number, key);
        SwarmAnswer<string?> told = await client.AskAsync((Ledger l) => l.GetAsync(key));
        read.End(told.OutcomeIf(static value => value is not null), told.Result is "" ? null : told.Result);
        return told.Result is not null;
    }

    private static async Task<bool> SumAsync(SwarmCase run, SwarmClient client)
    {
        var read = run.Sum().Read(client.Number);
        SwarmAnswer<long?> told = await client.AskAsync((Ledger l) => l.SumAsync());
        read.End(told.OutcomeIf(static sum => sum is not null), told.Result ?? 0);
        return told.Result is not null;
    }
}
