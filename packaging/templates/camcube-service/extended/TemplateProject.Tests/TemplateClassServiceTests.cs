using System.Text.Json;
using CamCube;
using CamCube.Testing;

namespace TemplateSpace.Tests;

/// <summary>A whole cube in virtual time: nothing sleeps, and every run is the same.</summary>
public sealed class TemplateClassServiceTests
{
    [Fact]
    public void A_packet_goes_a_shortest_way_there_and_back()
    {
        using TestCube cube = Create();
        Assert.Equal(6, Ping(cube, "1,1,1").GetProperty("hops").GetInt32());
        Assert.Equal(0, Ping(cube, "0,0,0").GetProperty("hops").GetInt32());
        cube.AssertQuiet();
    }

    [Fact]
    public void It_is_asked_again_when_packets_are_lost_and_goes_round_a_server_that_died()
    {
        using TestCube cube = Create();
        int lost = 0;
        cube.Lose = (_, _, packet) => packet.Service == new ServiceId(0x7fff) && ++lost <= 2;
        Assert.Equal(3, Ping(cube, "1,0,0").GetProperty("attempts").GetInt32());

        cube.Kill(new Coordinate(1, 0, 0));
        cube.AwaitConverged();
        Assert.Equal(CommandStatus.Refused, Call(cube, "1,0,0").Status);
        Assert.Equal(1, Ping(cube, "1,1,0").GetProperty("attempts").GetInt32());

        cube.Revive(new Coordinate(1, 0, 0));
        cube.AwaitConverged();
        Assert.Equal(2, Ping(cube, "1,0,0").GetProperty("hops").GetInt32());
        cube.AssertQuiet();
    }

    [Fact]
    public void A_packet_allocates_nothing_at_any_hop()
    {
        using TestCube cube = Create();
        TemplateClassService service = cube[0].Service<TemplateClassService>();
        int sent = 0;
        ServerTimer timer = cube[0]
            .ServerOf<TemplateClassService>()
            .Every(
                TimeSpan.FromMicroseconds(10),
                () => sent += service.Send(new Coordinate(1, 1, 1), question: 0) == SendResult.Accepted ? 1 : 0
            );
        cube.Advance(TimeSpan.FromMilliseconds(300)); // pools are filled
        int first = sent;
        long before = GC.GetAllocatedBytesForCurrentThread();
        cube.Advance(TimeSpan.FromMilliseconds(20));
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.InRange(sent - first, 1_000, int.MaxValue);
        Assert.Equal(0, bytes);
        timer.Cancel();
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.AssertQuiet();
    }

    [Fact]
    public void Whatever_fails_meanwhile_it_answers_when_all_is_well_again()
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
                            await PingAsync(client);
                            await client.RestAsync(TimeSpan.FromMilliseconds(50));
                        }
                    }
                );
                await run.CalmAsync(); // all faults are over
                CommandResult last = (await PingAsync(run.CreateClient())).Value;
                run.Check(last.Status == CommandStatus.Done, last.Text);
            }
        );
        Assert.InRange(report.Answered, 100, long.MaxValue);
    }

    private static TestCube Create() =>
        new TestCube(3, 3, 3).Add(server => new TemplateClassService(server, new TemplateClassOptions()));

    private static CommandResult Call(TestCube cube, string to) => cube[0].Call("template-service", "ping", ("to", to));

    private static JsonElement Ping(TestCube cube, string to) => Call(cube, to).Read<JsonElement>();

    private static Task<SwarmAnswer<CommandResult>> PingAsync(SwarmClient client)
    {
        string to = $"{client.Random.Next(3)},{client.Random.Next(3)},{client.Random.Next(3)}";
        return client.CommandAsync(CommandCall.Of("template-service", "ping", ("to", to)));
    }
}
