using CamCube;
using CamCube.Testing;

namespace TemplateSpace.Tests;

/// <summary>A whole cube in virtual time: nothing sleeps, and every run is the same.</summary>
public sealed class TemplateClassServiceTests
{
    private const string Name = "template-service";

    [Fact]
    public void Every_server_hears_the_sum_of_all()
    {
        using TestCube cube = Create();
        Assert.All(Enumerable.Range(0, 27), rank => Assert.Equal(new(378, 27, 27), Sum(cube, rank)));
        Assert.Equal(
            new TemplateClassSum(27, 1, 27),
            cube[5].Call(Name, "sum", ("least", "27")).Read<TemplateClassSum>()
        );
        cube.AssertQuiet();
    }

    [Fact]
    public void While_packets_are_lost_and_servers_die_each_counts_once_or_if_it_died_not_at_all()
    {
        for (int micros = 0; micros < 300; micros += 20)
        {
            using TestCube cube = Create();
            int packet = 0;
            cube.Lose = (_, _, _) => ++packet % 40 == 0;
            ValueTask<CommandResult> asked = cube[0].Begin(Name, "sum");
            cube.Advance(TimeSpan.FromMicroseconds(micros));
            cube.Kill(new Coordinate(1, 1, 1));
            TemplateClassSum sum = cube.Await(asked).Read<TemplateClassSum>();
            Assert.Equal(sum.Asked == 27 ? 378 : 364, sum.Sum);
            Assert.InRange(sum.Asked, 26, 27);
            cube.AwaitConverged();
            Assert.Equal(new TemplateClassSum(364, 26, 26), Sum(cube, 0));
            cube.AssertQuiet();
        }
    }

    [Fact]
    public void Whatever_fails_meanwhile_nobody_counts_twice_and_all_count_when_all_is_well_again()
    {
        SwarmReport report = TestCube.Swarm(
            20,
            cube => cube.Add(server => new TemplateClassService(server, new TemplateClassOptions())),
            async run =>
            {
                await run.CrowdAsync(
                    3,
                    async client =>
                    {
                        while (run.IsUnderFaults)
                        {
                            SwarmAnswer<CommandResult> told = await client.CommandAsync(Ask);
                            if (told.IsAnswered && told.Value.IsOk)
                            {
                                run.Check(told.Value.Read<TemplateClassSum>().Asked <= 27, told.Value.Text);
                            }

                            await client.RestAsync(TimeSpan.FromMilliseconds(50));
                        }
                    }
                );
                await run.CalmAsync(); // all faults are over
                CommandResult last = (await run.CreateClient().CommandAsync(Ask)).Value;
                run.Check(last.IsOk && last.Read<TemplateClassSum>().Asked == 27, last.Text);
            }
        );
        Assert.InRange(report.Answered, 100, long.MaxValue);
    }

    private static CommandCall Ask => CommandCall.Of(Name, "sum", ("least", "0"));

    // Server n has n + 1.
    private static TestCube Create()
    {
        TestCube cube = new TestCube(3, 3, 3).Add(server => new TemplateClassService(
            server,
            new TemplateClassOptions { Patience = TimeSpan.FromSeconds(2) }
        ));
        for (int rank = 0; rank < 27; rank++)
        {
            Assert.True(cube[rank].Call(Name, "add", ("count", $"{rank + 1}")).IsOk);
        }

        return cube;
    }

    private static TemplateClassSum Sum(TestCube cube, int rank) =>
        cube[rank].Call(Name, "sum").Read<TemplateClassSum>();
}
