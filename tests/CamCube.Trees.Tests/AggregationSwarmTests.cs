using System.Numerics;
using CamCube.Testing;
using Heads = CamCube.Trees.Tests.HeadCount.Heads;

namespace CamCube.Trees.Tests;

/// <summary>Questions to all servers under drawn faults of network, servers and their time.</summary>
public sealed class AggregationSwarmTests
{
    [Fact]
    public void Whatever_fails_no_server_counts_twice_and_when_all_is_over_each_counts()
    {
        SwarmReport report = TestCube.Swarm(
            10,
            static cube => cube.Add(static server => new HeadCount(server)),
            static async run =>
            {
                await run.CrowdAsync(
                    run.Draw("clients", 1, 6),
                    async client =>
                    {
                        while (run.IsUnderFaults)
                        {
                            long number = client.Random.Next(1, 9);
                            SwarmAnswer<Aggregate<Heads>> told = await client.AskAsync(
                                (HeadCount heads) => heads.Ask(number, TimeSpan.FromSeconds(2))
                            );
                            Check(run, told, number);
                            await client.RestAsync(TimeSpan.FromMilliseconds(20));
                        }
                    }
                );
                await run.CalmAsync();
                SwarmAnswer<Aggregate<Heads>> last = await run.CreateClient()
                    .AskAsync(static (HeadCount heads) => heads.Ask(1, TimeSpan.FromSeconds(10)));
                Check(run, last, 1);
                run.Check(last.Value.Servers == run.Cube.Shape.Count, $"{last.Value.Servers} servers are counted");
            }
        );
        Assert.InRange(report.Answered, 100, long.MaxValue);
    }

    private static void Check(SwarmCase run, SwarmAnswer<Aggregate<Heads>> told, long number)
    {
        if (told.IsAnswered && told.Value.IsAnswered)
        {
            Aggregate<Heads> answer = told.Value;
            run.Check(answer.Value.Twice == 0, $"counted twice: {answer.Value.Twice:x}");
            run.Check(BitOperations.PopCount(answer.Value.Bits) == answer.Servers, $"{answer} has not so many servers");
            run.Check(answer.Value.Number == answer.Servers * number, $"{answer} is of another question");
        }
    }
}
