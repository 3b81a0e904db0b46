using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;
using CamCube.Services.Workloads.Load;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Experiments.Tests.Load;

/// <summary>The senders that fig4 loads cables with, on simulated ones.</summary>
public sealed class LoadServicesTests
{
    private const int PacketsPerServer = 10;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Packets_go_round_until_they_are_not_wanted_any_more_and_none_is_lost(int keys)
    {
        using var cube = new SimulatedCube(
            new TorusShape(3, 3, 3),
            [ServiceDefinition.Of(static activation => new RoutedLoadService(activation.Server))],
            new SimulatorOptions { Seed = 3 }
        );
        await TellAllAsync<RoutedLoadService>(cube, keys, 0, 600);
        await TellAllAsync<RoutedLoadService>(cube, keys, PacketsPerServer, 600);

        long first = HopsOf(cube),
            later = HopsOf(cube);
        Assert.True(first > 10 * PacketsPerServer * cube.Shape.Count, $"{first} hops");

        // As many as before: no packet went lost, none became two.
        Assert.InRange(later, 0.9 * first, 1.1 * first);
        Assert.All(Enumerable.Range(0, cube.Shape.Count), rank => Assert.Equal(0, LostAt(cube, rank)));

        await TellAllAsync<RoutedLoadService>(cube, keys, 0, 0);
        HopsOf(cube);
        Assert.True(HopsOf(cube) < first / 10, "Packets still go round.");
    }

    [Fact]
    public async Task Senders_of_different_lengths_share_a_link_by_weight_and_end()
    {
        using var cube = new SimulatedCube(
            new TorusShape(1, 1, 2) with
            {
                ParallelCables = false,
            },
            [
                ServiceDefinition.Of(static activation => new SecondLoadService(activation.Server)),
                ServiceDefinition.Of(
                    static activation => new ThirdLoadService(activation.Server),
                    new QueueOptions { Weight = 3 }
                ),
            ],
            new SimulatorOptions { Seed = 3 }
        );
        Assert.True((await TellAsync(cube.Service<SecondLoadService>(0), ("size", "1000"), ("for", "600s"))).IsOk);
        Assert.True((await TellAsync(cube.Service<ThirdLoadService>(0), ("size", "4000"), ("for", "600s"))).IsOk);
        cube.Advance(TimeSpan.FromMilliseconds(20));

        double second = 1_042.0 * ArrivedAt(cube, "second-load"),
            third = 4_042.0 * ArrivedAt(cube, "third-load");
        Assert.InRange(third / (second + third), 0.74, 0.76);

        await TellAsync(cube.Service<SecondLoadService>(0), ("for", "0s"));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        long before = ArrivedAt(cube, "second-load");
        cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Equal(before, ArrivedAt(cube, "second-load"));
    }

    [Theory]
    [InlineData("keys", "4", "keys=4: allowed is 0 to 3.")]
    [InlineData("packets", "1001", "packets=1001: allowed is 0 to 1000.")]
    [InlineData("size", "10000", "size=10000 is more than the 8")]
    [InlineData("size", "-1", "size=-1: allowed is 0 to 65535.")]
    [InlineData("for", "3601s", "for=3601s: allowed is 0 ms to 60 min.")]
    public async Task A_number_out_of_range_is_named(string name, string value, string says)
    {
        using var cube = new SimulatedCube(
            new TorusShape(3, 3, 3),
            [ServiceDefinition.Of(static activation => new RoutedLoadService(activation.Server))],
            new SimulatorOptions { Seed = 3 }
        );
        CommandResult result = await TellAsync(cube.Service<RoutedLoadService>(0), (name, value));
        Assert.False(result.IsOk);
        Assert.StartsWith(says, result.Text, StringComparison.Ordinal);
    }

    private static long HopsOf(SimulatedCube cube)
    {
        long before = cube.PacketHops;
        cube.Advance(TimeSpan.FromMilliseconds(1));
        return cube.PacketHops - before;
    }

    private static long ArrivedAt(SimulatedCube cube, string service) =>
        cube.StatusOf(1).Services.Single(s => s.Name == service).Arrived;

    private static long LostAt(SimulatedCube cube, int rank)
    {
        ServiceStatus service = cube.StatusOf(rank).Services.Single(s => s.Name == "routed-load");
        return service.Counters.Single(counter => counter.Name == "load.lost").Value;
    }

    private static async Task TellAllAsync<T>(SimulatedCube cube, int keys, int packets, int seconds)
        where T : class, IServiceCommands
    {
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            CommandResult result = await TellAsync(
                cube.Service<T>(rank),
                ("keys", $"{keys}"),
                ("packets", $"{packets}"),
                ("size", "100"),
                ("for", $"{seconds}s")
            );
            Assert.True(result.IsOk, result.Text);
        }
    }

    private static ValueTask<CommandResult> TellAsync(
        IServiceCommands service,
        params (string Name, string Value)[] arguments
    ) => service.Commands.Single(command => command.Name == "load").RunAsync(CommandCall.Of("", "load", arguments));
}
