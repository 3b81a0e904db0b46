using CamCube.Runtime.Services;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>Each service has its own time before its server takes its keys, and its own room for packets that wait for
/// them.</summary>
public sealed class AwaitKeysTests
{
    private const ushort Id = 0x0310;

    [Fact]
    public void What_waits_for_keys_is_bounded_per_service_so_that_none_takes_the_room_of_the_others()
    {
        Script greedy = new(),
            other = new();
        using var bare = new BareServer(new TorusShape(1, 1, 1), 0, greedy.Define(0x0301), other.Define(0x0302));
        for (int round = 1; round <= 2; round++)
        {
            (bare.Server.Router.HasKeys, bare.Server.Router.IsSettled) = (false, false);
            Fill(greedy[0], 700, 0);
            Fill(other[0], 200, 0);
            Fill(greedy[0], 300, 0);
            bare.StepUntil(bare.Now + 1_000_000);
            Assert.Equal((0, 0), (greedy[0].Arrived, other[0].Arrived));
            Assert.Equal((1_000 - 256) * round, bare.Server.Counters.Drops[(int)DropReason.AwaitKeysFull]);

            // With them comes the room for the next time.
            bare.Server.Router.HasKeys = true;
            bare.Server.Dispatch.DeliverAwaitingKeys();
            bare.StepUntil(bare.Now + 1_000_000);
            Assert.Equal((256, 200), (greedy[0].Arrived, other[0].Arrived));
            (greedy[0].Arrived, other[0].Arrived) = (0, 0);
        }

        // By bytes: 256 KiB are 32 of these.
        (bare.Server.Router.HasKeys, bare.Server.Router.IsSettled) = (false, false);
        Fill(other[0], 100, 8_192 - Packet.FrameOverhead - 8);
        bare.StepUntil(bare.Now + 1_000_000);
        bare.Server.Router.HasKeys = true;
        bare.Server.Dispatch.DeliverAwaitingKeys();
        bare.StepUntil(bare.Now + 1_000_000);
        Assert.Equal(32, other[0].Arrived);

        static void Fill(Scripted self, int packets, int body)
        {
            for (int i = 0; i < packets; i++)
            {
                self.Launch(new Key(7, 0, 0), body);
            }
        }
    }

    [Theory]
    [InlineData(0, 5)]
    [InlineData(12_000, 12)]
    [InlineData(700, 3)]
    public void One_that_hangs_delays_the_keys_by_its_own_time_only_and_one_that_needs_longer_has_it(
        int mostMilliseconds,
        double seconds
    )
    {
        using TestCube cube = new TestCube(2, 2, 1)
            .Add(Returning(Id, mostMilliseconds, static _ => new ValueTask(new TaskCompletionSource().Task)))
            .Add(Returning(Id + 1, 6_000, static async server => await server.DelayAsync(TimeSpan.FromSeconds(3))))
            .Add(Returning(Id + 2, 1, static _ => throw new InvalidOperationException("not ready")))
            .Add(Returning(Id + 3, 0, static _ => ValueTask.CompletedTask));
        var server = new Coordinate(1, 1, 0);
        _ = cube.Cube;
        cube.Kill(server);
        cube.AwaitConverged();
        cube.Revive(server);
        cube.AwaitUntil(() => cube[server].Topology.ReachableCount == 4);
        long begin = cube.NowNanos;
        cube.AwaitUntil(() => cube[server].Topology.HasKeys);
        Assert.InRange((cube.NowNanos - begin) / 1e9, seconds - 0.1, seconds + 1.5);
    }

    [Theory]
    [InlineData(-1, 0, "ReturnTimeout")]
    [InlineData(3_600_001, 0, "ReturnTimeout")]
    [InlineData(0, -1, "AwaitKeysBytes")]
    [InlineData(0, (64 << 20) + 1, "AwaitKeysBytes")]
    public void Times_and_room_out_of_range_are_refused_by_name(int milliseconds, int bytes, string name)
    {
        ServiceDefinition definition = new()
        {
            Id = new ServiceId(Id),
            Name = "wrong",
            Create = static activation => new Waiter(activation.Server, static _ => ValueTask.CompletedTask),
            ReturnTimeout = TimeSpan.FromMilliseconds(milliseconds),
            AwaitKeysBytes = bytes,
        };
        ArgumentException e = Assert.Throws<ArgumentException>(() => ServiceDefinition.CheckList([definition]));
        Assert.Contains($"'wrong': {name} is", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_attribute_says_both()
    {
        var definition = ServiceDefinition.Of<Declared>(static _ => new Declared());
        Assert.Equal((TimeSpan.FromSeconds(30), 4_096), (definition.ReturnTimeout, definition.AwaitKeysBytes));
        definition = ServiceDefinition.Of<Silent>(static _ => new Silent());
        Assert.Equal((null, 256 * 1_024), (definition.ReturnTimeout, definition.AwaitKeysBytes));
    }

    private static ServiceDefinition Returning(int id, int mostMilliseconds, Func<IServer, ValueTask> returning) =>
        new()
        {
            Id = new ServiceId((ushort)id),
            Name = $"returning-{id:x}",
            Create = activation => new Waiter(activation.Server, returning),
            ReturnTimeout = mostMilliseconds == 0 ? null : TimeSpan.FromMilliseconds(mostMilliseconds),
        };

    private sealed class Waiter(IServer server, Func<IServer, ValueTask> returning) : CamCubeService
    {
        public override ValueTask OnReturningAsync() => returning(server);
    }

    [CamCubeService(0x0320, "declared", ReturnTimeoutMilliseconds = 30_000, AwaitKeysBytes = 4_096)]
    private sealed class Declared : CamCubeService;

    [CamCubeService(0x0321, "silent")]
    private sealed class Silent : CamCubeService;
}
