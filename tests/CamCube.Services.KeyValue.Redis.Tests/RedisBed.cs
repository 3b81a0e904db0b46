using System.Net;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.KeyValue.Redis.Settings;
using CamCube.Simulator.Live;
using CamCube.Testing;
using CamCube.Tests;

namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>A live cube with the store in memory and a Redis front end on every server, each on a port of loopback. At
/// its end nothing may have gone wrong in any.</summary>
internal sealed class RedisBed : IAsyncDisposable
{
    public static readonly TimeSpan Generous = TimeSpan.FromSeconds(120);
    private readonly LiveCube _cube;

    private RedisBed(LiveCube cube, RedisFrontEndOptions options, bool isPooled, TimeProvider time)
    {
        _cube = cube;
        FrontEnds =
        [
            .. Enumerable
                .Range(0, cube.Shape.Count)
                .Select(rank => new RedisFrontEnd(
                    isPooled ? new PoolGate(cube.GateOf(rank)) : cube.GateOf(rank),
                    options,
                    Log,
                    time
                )),
        ];
    }

    public ErrorLog<RedisFrontEnd> Log { get; } = new();

    public IReadOnlyList<RedisFrontEnd> FrontEnds { get; }

    public LiveCube Cube => _cube;

    /// <summary>What services are charged with at the end.</summary>
    public long Faults { get; set; }

    /// <summary>Starts one, and ends when its store answers.</summary>
    /// <param name="shape">The cube; null: of one server.</param>
    /// <param name="options">Of the front ends; null: who reaches them may do everything.</param>
    /// <param name="copies">Copies of each key in tables 0 and 9.</param>
    /// <param name="isPooled">Clients are served from threads of the pool.</param>
    /// <param name="time">The clock of the front ends; null: the system's.</param>
    public static async Task<RedisBed> StartAsync(
        TorusShape? shape = null,
        RedisFrontEndOptions? options = null,
        int copies = 1,
        bool isPooled = false,
        TimeProvider? time = null
    )
    {
        var store = new KeyValueOptions
        {
            Replicas = copies,
            Mode = "storage=memory,reads=lease",
            Tables = [$"9={copies},storage=memory"],

            // A machine may be so busy with other things that an answer takes long: that is not what is tested here.
            Timeout = Generous / 2,
        };
        var cube = new LiveCube(
            shape ?? new TorusShape(1, 1, 1),
            [ServiceDefinition.Of(typeof(KeyValueService), a => new KeyValueService(a.Server, store))],
            new ServerOptions(),
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        RedisBed bed = new(
            cube,
            options ?? new RedisFrontEndOptions { AllowFlush = true },
            isPooled,
            time ?? TimeProvider.System
        );
        foreach (RedisFrontEnd frontEnd in bed.FrontEnds)
        {
            await frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), CancellationToken.None);
        }

        await bed.AwaitStoreAsync();
        return bed;
    }

    public Task<RedisClient> ConnectAsync(int rank = 0, int? receiveBuffer = null) =>
        RedisClient.ConnectAsync(FrontEnds[rank].Port, receiveBuffer);

    /// <summary>Waits until something is so.</summary>
    public static async Task EventuallyAsync(Func<bool> isSo)
    {
        using CancellationTokenSource end = new(Generous);
        while (!isSo())
        {
            Assert.False(end.IsCancellationRequested);
            await Task.Delay(5);
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (RedisFrontEnd frontEnd in FrontEnds)
        {
            await frontEnd.DisposeAsync().AsTask().WaitAsync(Generous);
        }

        long faults = _cube.GetStatus().Servers.Sum(server => server.Services.Sum(one => one.Faults));
        await _cube.DisposeAsync().AsTask().WaitAsync(Generous);
        Assert.Empty(Log.Errors);
        Assert.Equal(Faults, faults);
        Assert.All(FrontEnds, frontEnd => Assert.Equal(0, frontEnd.Context!.Budget.Used));
    }

    // All groups of both tables have leaders.
    private async Task AwaitStoreAsync()
    {
        using CancellationTokenSource end = new(Generous);
        while (true)
        {
            int led = 0,
                all = 0;
            for (int rank = 0; rank < _cube.Shape.Count; rank++)
            {
                (int own, int of) = await _cube
                    .GateOf(rank)
                    .CallAsync<IKeyValueStore, int, (int, int)>(
                        static (store, _) =>
                            new(
                                (store.ListGroups().Count(group => group.Leader is not null), store.ListGroups().Count)
                            ),
                        0
                    );
                (led, all) = (led + own, all + of);
            }

            if (led == all && all > 0)
            {
                return;
            }

            Assert.False(end.IsCancellationRequested, $"{led} of {all} groups have a leader");
            await Task.Delay(20);
        }
    }
}
