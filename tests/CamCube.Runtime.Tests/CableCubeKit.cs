using CamCube.Runtime.Cubes;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;

namespace CamCube.Runtime.Tests;

/// <summary>Two servers on a wire in memory, and what is asked of them.</summary>
internal static class CableCubeKit
{
    public static readonly TorusShape Shape = new(2, 1, 1);
    public static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    public static ServiceDefinition Definition => ServiceDefinition.Of(activation => new Pinger(activation.Server));

    public static CableCube Make(
        ILinkProvider wire,
        int rank,
        WaitedEvents events,
        bool mayControl = false,
        TimeProvider? time = null,
        string? state = null
    ) =>
        new(
            wire,
            MemoryWire.Request(Shape, Shape.At(rank)) with
            {
                Time = time ?? TimeProvider.System,
                StateDirectory = state,
            },
            [Definition],
            new ServerOptions(),
            events,
            1
        )
        {
            CanControl = mayControl,
        };

    public static async Task<CableCube> Start(
        ILinkProvider wire,
        int rank,
        WaitedEvents events,
        bool mayControl = false,
        TimeProvider? time = null,
        string? state = null
    )
    {
        CableCube cube = Make(wire, rank, events, mayControl, time, state);
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        return cube;
    }

    public static Task<long> UtcTicks(CableCube cube) =>
        cube.GateOf(cube.LocalRanks[0])
            .CallAsync<Pinger, int, long>(static (s, _) => new(s.Server.TimeProvider.GetUtcNow().UtcTicks), 0)
            .AsTask();

    public static Task<ulong> Secret(CableCube cube) =>
        cube.GateOf(cube.LocalRanks[0])
            .CallAsync<Pinger, int, ulong>(
                static (s, _) =>
                {
                    byte[] bytes = new byte[8];
                    s.Server.Random.FillSecret(bytes);
                    return new(BitConverter.ToUInt64(bytes));
                },
                0
            )
            .AsTask();

    public static Task Whole(WaitedEvents events, params CableCube[] cubes) =>
        events.Until(
            () =>
                cubes.All(c =>
                    c.GetStatus().Servers[0] is { ReachableServers: 2, State: ServerState.Running } s
                    && s.Links.All(l => l.IsUp)
                ),
            "the cube is not whole"
        );

    public static LinkStatus LinkOf(CableCube cube, Link link) =>
        cube.GetStatus().Servers[0].Links.Single(l => l.Link == link);

    public static Task<int> Ping(CableCube from, int to, int number) =>
        Call(from, to * 1_000_000 + number, static (s, n) => s.AskAsync(n / 1_000_000, n % 1_000_000, 0));

    public static Task<int> Call(CableCube from, int argument, LoopCall<Pinger, int, int> call) =>
        from.GateOf(from.LocalRanks[0]).CallAsync(call, argument).AsTask().WaitAsync(Generous);
}
