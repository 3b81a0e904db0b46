using CamCube;
using CamCube.Histories;
using CamCube.Histories.Recording;
using CamCube.Testing;

namespace TallySample;

/// <summary>The test of the service: any test framework can call it.</summary>
public static class TallySwarm
{
    /// <summary>Throws when a run fails.</summary>
    /// <param name="tally">The service of a server.</param>
    /// <param name="replay">One run instead, as the message of a failure says it.</param>
    public static SwarmReport Run(Func<IServer, TallyService> tally, string? replay = null)
    {
        var plan = new SwarmPlan
        {
            Services = cube => cube.Add(tally),
            MostStopped = 0, // the sum is in memory, so no server may stop
            Replay = replay,
        };
        return TestCube.Swarm(
            plan,
            async run =>
            {
                await run.CrowdAsync(
                    run.Draw("clients", 1, 5),
                    async client =>
                    {
                        while (run.IsUnderFaults)
                        {
                            long amount = client.Random.Next(1, 100);
                            RecordedChange add = run.Sum().Add(client.Number, amount);
                            SwarmAnswer<long?> told = await client.AskAsync((TallyService t) => t.AddAsync(amount));
                            add.End(told.OutcomeIf(sum => sum is not null));
                            await client.RestAsync(TimeSpan.FromMilliseconds(50));
                        }
                    }
                );

                await run.CalmAsync(); // all faults are over: from now on everything has to be answered
                SwarmClient last = run.CreateClient();
                RecordedRead<long> read = run.Sum().Read(last.Number);
                long sum = (await last.AskAsync((TallyService t) => t.AddAsync(0))).Value ?? -1;
                read.End(HistoryAnswer.Done, sum);
            }
        );
    }
}
