using CamCube.Experiments.Throughput;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;
using CamCube.Services.Workloads.AllToAll;

namespace CamCube.Simulator.Tests;

public sealed class AllToAllTests
{
    [Theory]
    [InlineData(3, 3, 3)]
    [InlineData(4, 4, 4)]
    [InlineData(5, 5, 5)]
    [InlineData(2, 2, 2)]
    [InlineData(5, 1, 1)]
    [InlineData(1, 4, 4)]
    public void A_cube_delivers_at_least_95_percent_of_the_bound_without_a_drop(int x, int y, int z)
    {
        AllToAllResult result = AllToAllExperiment.Run(new() { Shape = new TorusShape(x, y, z) });
        Assert.InRange(result.PartOfBound, 0.95, 1.001);
        Assert.Equal(0, result.DroppedPackets);
    }

    [Theory]
    [InlineData(3, 3, 3, 6 / (54.0 / 26))]
    [InlineData(8, 8, 8, 0.998046875)]
    [InlineData(5, 1, 1, 2 / 1.5)]
    [InlineData(2, 1, 1, 2.0)]
    [InlineData(2, 2, 2, 6 / (12.0 / 7))]
    public void The_bound_is_links_over_mean_hops(int x, int y, int z, double gbps)
    {
        Assert.Equal(gbps, AllToAllExperiment.BoundBitsPerSecond(new TorusShape(x, y, z), 1_000_000_000) / 1e9, 9);
    }

    [Fact]
    public void One_cable_instead_of_two_halves_the_bound_and_is_reached_too()
    {
        var shape = new TorusShape(2, 2, 2, parallelCables: false);
        AllToAllResult result = AllToAllExperiment.Run(new() { Shape = shape });
        Assert.Equal(3 / (12.0 / 7), result.BoundGbps, 9);
        Assert.InRange(result.PartOfBound, 0.95, 1.001);
    }

    [Theory]
    [InlineData(3, 3, 3, 1.0, 9_014)]
    [InlineData(4, 3, 2, 0.7, 1_514)]
    [InlineData(2, 2, 1, 1.3, 64)]
    public void Two_runs_are_equal_and_another_seed_is_not(int x, int y, int z, double load, int frame)
    {
        AllToAllResult first = Run(1),
            second = Run(1),
            other = Run(2);
        Assert.Equal(Comparable(first), Comparable(second));
        Assert.Equal(first.Shape, second.Shape);
        Assert.NotEqual(first.TraceHash, other.TraceHash);

        AllToAllResult Run(ulong seed) =>
            AllToAllExperiment.Run(
                new()
                {
                    Shape = new TorusShape(x, y, z),
                    Seed = seed,
                    Load = load,
                    FrameLength = frame,
                    Warmup = TimeSpan.FromMilliseconds(2),
                    Duration = TimeSpan.FromMilliseconds(3),
                }
            );
    }

    [Fact]
    public void Steps_of_the_clock_do_not_show_in_the_trace()
    {
        using SimulatedCube whole = Cube(new TorusShape(3, 3, 2), 1.0),
            sliced = Cube(new TorusShape(3, 3, 2), 1.0);
        whole.AdvanceTo(5_000_000);
        for (long now = 0; now <= 5_000_000; now += 617)
        {
            sliced.AdvanceTo(now);
        }

        sliced.AdvanceTo(5_000_000);
        Assert.Equal(whole.TraceHash, sliced.TraceHash);
        Assert.Equal(whole.PacketHops, sliced.PacketHops);
    }

    [Theory]
    [InlineData(3, 3, 3, 0.9, 10)]
    [InlineData(4, 4, 4, 1.0, 10)]
    [InlineData(2, 3, 5, 1.5, 40)]
    [InlineData(7, 1, 1, 3.0, 60)]
    public void Packets_are_conserved(int x, int y, int z, double load, int millis)
    {
        var shape = new TorusShape(x, y, z);
        using SimulatedCube cube = Cube(shape, load);
        for (int i = 0; i < millis; i++)
        {
            cube.Advance(TimeSpan.FromMilliseconds(1));
            AssertConserved(cube);
        }

        Assert.Equal(load > 1, Servers(cube).Any(server => server.Drops.Count > 0));
    }

    [Fact]
    public void Packets_are_conserved_while_a_server_and_a_cable_fail()
    {
        using SimulatedCube cube = Cube(new TorusShape(3, 3, 3), 0.8);
        long ended = 0,
            sent = 0;
        cube.Advance(TimeSpan.FromMilliseconds(3));
        (ended, sent) = (Received(cube, 13) + Dropped(cube, 13), Sent(cube, 13));
        cube.Kill(13);
        cube.Cut(0, Link.XPlus);
        cube.Advance(TimeSpan.FromMilliseconds(5));

        // What the killed server had in its queues went with it, counted by nobody.
        long all = sent + Enumerable.Range(0, 27).Where(cube.IsRunning).Sum(rank => Sent(cube, rank));
        long known =
            ended
            + Enumerable.Range(0, 27).Where(cube.IsRunning).Sum(rank => Received(cube, rank) + Dropped(cube, rank));
        Assert.InRange(all - known - cube.LostOnCables - cube.PacketsOutstanding, 0, 1_024);
        Assert.True(cube.LostOnCables > 0);
    }

    private static (ulong, int, double, double, double, long, long, string) Comparable(AllToAllResult r) =>
        (
            r.Seed,
            r.Servers,
            r.OfferedGbps,
            r.DeliveredGbpsPerServer,
            r.BoundGbps,
            r.PacketHops,
            r.DroppedPackets,
            r.TraceHash
        );

    private static SimulatedCube Cube(TorusShape shape, double load)
    {
        var traffic = new AllToAllOptions
        {
            OfferedBitsPerSecond = load * AllToAllExperiment.BoundBitsPerSecond(shape, 1_000_000_000),
        };
        return new SimulatedCube(shape, [ServiceDefinition.Of(a => new AllToAllService(a.Server, traffic))]);
    }

    private static void AssertConserved(SimulatedCube cube)
    {
        long sent = 0,
            ended = cube.PacketsOutstanding + cube.LostOnCables;
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            sent += Sent(cube, rank);
            ended += Received(cube, rank) + Dropped(cube, rank);
        }

        Assert.Equal(sent, ended);
    }

    private static IEnumerable<ServerStatus> Servers(SimulatedCube cube) =>
        Enumerable.Range(0, cube.Shape.Count).Select(cube.StatusOf);

    [Fact]
    public void A_cold_cube_boots_during_the_warm_up_and_carries_as_much()
    {
        AllToAllResult result = AllToAllExperiment.Run(
            new AllToAllExperimentOptions
            {
                Shape = new TorusShape(3, 3, 3),
                ColdStart = true,
                Duration = TimeSpan.FromMilliseconds(10),
            }
        );
        Assert.True(result.DeliveredGbpsPerServer >= 0.95 * result.BoundGbps, $"{result.DeliveredGbpsPerServer}");
    }

    private static long Received(SimulatedCube cube, int rank) => cube.Service<AllToAllService>(rank).ReceivedPackets;

    private static long Sent(SimulatedCube cube, int rank) =>
        cube.StatusOf(rank).Services.Single(service => service.Name == "all-to-all").Sent;

    private static long Dropped(SimulatedCube cube, int rank) => cube.StatusOf(rank).Drops.Sum(drop => drop.Count);
}
