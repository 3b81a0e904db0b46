using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.Cache.Store;
using CamCube.Simulator.Live;
using CamCube.Testing;

namespace CamCube.Services.Cache.Tests.Store;

/// <summary>The secret of the hash table.</summary>
public sealed class KeyHashTests
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Who_knows_the_seed_of_a_live_server_does_not_know_its_hashes()
    {
        ulong[] first = await HashesOf(seed: 1),
            second = await HashesOf(seed: 1);

        // Two instances at each server (items and copies), two servers, two starts: none agrees with another.
        Assert.Equal(8, first.Concat(second).Distinct().Count());
    }

    private static async Task<ulong[]> HashesOf(ulong seed)
    {
        await using var cube = new LiveCube(
            new TorusShape(2, 1, 1),
            [ServiceDefinition.Of(activation => new Hasher(activation.Server))],
            new ServerOptions(),
            new NoEvents(),
            new LiveCubeOptions(),
            seed,
            TimeProvider.System
        );
        await cube.StartAsync(CancellationToken.None);
        var hashes = new List<ulong>();
        for (int i = 0; i < 4; i++)
        {
            hashes.Add(
                await cube.GateOf(i / 2)
                    .CallAsync<Hasher, int, ulong>(static (s, _) => new(KeyHash.Create(s.Server).Of("key"u8)), 0)
                    .AsTask()
                    .WaitAsync(Generous)
            );
        }

        return [.. hashes];
    }

    [CamCubeService(0x7F12, "hasher")]
    private sealed class Hasher(IServer server) : CamCubeService
    {
        public IServer Server => server;

        public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;
    }
}
