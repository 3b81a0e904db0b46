using CamCube.Runtime;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Services;
using CamCube.Simulator.Live;

namespace CamCube.Simulator.Tests;

/// <summary>Memory of a cube in real time: all its servers share the process's limit.</summary>
public sealed class LiveMemoryTests
{
    private const long Mib = 1 << 20;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task All_servers_of_a_process_share_one_limit_and_a_stopped_one_gives_back()
    {
        var cube = new LiveCube(
            new TorusShape(3, 3, 3),
            [
                new ServiceDefinition
                {
                    Id = new ServiceId(0x0724),
                    Name = "claimer",
                    Create = static a => new Claimer(a.Server),
                },
            ],
            new ServerOptions
            {
                Memory = new MemoryOptions { ProcessLimit = 20 * Mib, ServerLimit = 4 * Mib },
            },
            new Quiet(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );
        await using LiveCube disposed = cube;
        await cube.StartAsync(TestContext.Current.CancellationToken);
        Assert.False(await Claim(0, (4 * Mib) + 1));
        int granted = 0;
        for (int rank = 0; rank < 27; rank++)
        {
            granted += await Claim(rank, 3 * Mib) ? 1 : 0;
        }

        Assert.Equal(6, granted);
        Assert.Equal(3 * Mib, cube.GetStatus().Servers[5].Memory.Used);
        Assert.Equal(4 * Mib, cube.GetStatus().Servers[26].Memory.Limit);
        await cube.StopServerAsync(5);
        Assert.True(await Claim(26, 3 * Mib));
        Assert.False(await Claim(25, 3 * Mib));

        async Task<bool> Claim(int rank, long bytes) =>
            await cube.GateOf(rank)
                .CallAsync<Claimer, long, bool>(static (s, n) => ValueTask.FromResult(s.Claim(n)), bytes)
                .AsTask()
                .WaitAsync(Generous);
    }

    private sealed class Claimer(IServer server) : CamCubeService
    {
        public bool Claim(long bytes) => server.Memory.TryClaim("test", bytes, out _);

        public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;
    }

    private sealed class Quiet : IServerEvents
    {
        public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
            Assert.Fail($"{exception}");

        public void ServiceRestarted(Coordinate server, string service) { }

        public void TopologyChanged(Coordinate server, TopologyChange change) { }
    }
}
